use std::collections::HashMap;
use std::str::FromStr;

/// `--name value` pairs; nothing else is accepted, so a typo never runs a default.
pub struct Args {
    given: HashMap<String, String>,
}

impl Args {
    pub fn parse(mut words: impl Iterator<Item = String>, known: &[&str]) -> Self {
        let mut given = HashMap::new();
        while let Some(word) = words.next() {
            let name = word
                .strip_prefix("--")
                .unwrap_or_else(|| fail(&format!("not an option: {word}")));
            if !known.contains(&name) {
                fail(&format!("unknown option --{name}; known here: {known:?}"));
            }
            let value = words
                .next()
                .unwrap_or_else(|| fail(&format!("--{name} needs a value")));
            given.insert(name.to_string(), value);
        }
        Self { given }
    }

    pub fn get<T: FromStr>(&self, name: &str, default: T) -> T {
        match self.given.get(name) {
            None => default,
            Some(text) => text
                .parse()
                .unwrap_or_else(|_| fail(&format!("--{name}: cannot read {text}"))),
        }
    }

    pub fn word(&self, name: &str, choices: &[&'static str]) -> &'static str {
        match self.given.get(name) {
            None => choices[0],
            Some(text) => choices
                .iter()
                .find(|c| *c == text)
                .unwrap_or_else(|| fail(&format!("--{name}: one of {choices:?}"))),
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }
}

pub fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(2)
}
