# Every target sets up what it needs first, and says in one line what it cannot do without.
.PHONY: build test demo bench lint fmt clean
export PYTHON

build: setup ; @scripts/sbt package spark/pythonJar
test:        ; @scripts/test
demo:  setup ; @scripts/demo
bench: setup ; @scripts/bench $(PART)
lint:  setup ; @scripts/lint
fmt:   setup ; @scripts/fmt

.PHONY: setup
setup: ; @scripts/need java sbt python && scripts/venv

# Drops what was built; keeps the virtual environment and the sbt launcher.
clean:
	rm -rf target project/target project/project jvm/*/target benchmarks/target benchmarks/peers/*/target python/paddlewheel/jars
