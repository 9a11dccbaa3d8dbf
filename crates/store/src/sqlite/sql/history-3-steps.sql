-- Programs that ran inside jobs. The whole of a step is in `view`, as JSON.
CREATE TABLE steps (
    job_id     INTEGER NOT NULL,
    attempt    INTEGER NOT NULL,
    step       INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    started_ms INTEGER,
    ended_ms   INTEGER,
    view       TEXT    NOT NULL,
    PRIMARY KEY (job_id, attempt, step)
) STRICT, WITHOUT ROWID;
