"""Windows over a stream, kept in wheels."""

from pyspark.sql import DataFrame

from paddlewheel import jvm
from paddlewheel.errors import ConfigurationError
from paddlewheel.spec import Spec


def aggregate(df: DataFrame, spec: Spec) -> DataFrame:
    """The windows of `spec` over the streaming rows of `df`.

    The caller MUST have set a watermark on the spec's time column, in a session set up by `configure`. Raises
    SpecError, with every fault named, for a spec that does not fit the rows.
    """
    if type(df).__module__.startswith("pyspark.sql.connect"):
        raise TypeError(
            "aggregate runs in classic sessions only, but was given a DataFrame of Spark Connect. "
            "Read the stream in a session of pw.configure(SparkSession.builder).getOrCreate()"
        )
    if not jvm.is_classic(df):
        raise TypeError(
            f"aggregate takes a DataFrame, but was given a {type(df).__name__}. Write: pw.aggregate(df, spec)"
        )
    if not isinstance(spec, Spec):
        raise TypeError(
            f"aggregate takes a Spec, but was given a {type(spec).__name__}. "
            "Write pw.Spec(…), or pw.Spec.from_json(text) for one kept as JSON"
        )
    entry = jvm.entry_point(jvm.jvm_of(df))
    if entry is None:
        raise ConfigurationError(
            "This session is without Paddlewheel's jar. Call spark.stop(), restart the Python process (in a "
            "notebook: the kernel), and make the session by pw.configure(SparkSession.builder).getOrCreate()"
        )
    with jvm.errors_as_python():
        aggregated = entry.aggregate(jvm.unwrap(df), spec.to_json())
    return jvm.wrap(aggregated, df.sparkSession)
