-- GPUs that stood free in pieces while a job waited that needed them together, in thousandths.
CREATE TABLE scattered (
    job_id  INTEGER NOT NULL,
    model   TEXT    NOT NULL,
    from_ms INTEGER NOT NULL,
    to_ms   INTEGER NOT NULL,
    gpus    INTEGER NOT NULL,
    PRIMARY KEY (job_id, model, from_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX scattered_end ON scattered (to_ms);

-- What is left of it of jobs that have been forgotten; `day` counts days since 1970.
CREATE TABLE scattered_daily (
    day    INTEGER NOT NULL,
    model  TEXT    NOT NULL,
    gpu_ms INTEGER NOT NULL,
    PRIMARY KEY (day, model)
) STRICT, WITHOUT ROWID;
