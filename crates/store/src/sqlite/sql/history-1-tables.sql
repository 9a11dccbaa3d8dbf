-- The history, made from the journal. Times are milliseconds since 1970, GPUs are thousandths.
CREATE TABLE watermark (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    sequence INTEGER NOT NULL
) STRICT;
INSERT INTO watermark VALUES (1, 0);

CREATE TABLE jobs (
    id           INTEGER PRIMARY KEY,
    array_id     INTEGER,
    array_index  INTEGER,
    name         TEXT    NOT NULL,
    user         TEXT    NOT NULL,
    team         TEXT    NOT NULL,
    queue        TEXT    NOT NULL,
    class        TEXT    NOT NULL,
    tasks        INTEGER NOT NULL,
    gpus         INTEGER NOT NULL,
    state        TEXT    NOT NULL,
    outcome      TEXT,
    exit         INTEGER,
    submitted_ms INTEGER NOT NULL,
    started_ms   INTEGER,
    ended_ms     INTEGER,
    attempts     INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_state ON jobs (state, id);
CREATE INDEX jobs_user  ON jobs (user, id);
CREATE INDEX jobs_queue ON jobs (queue, id);
CREATE INDEX jobs_ended ON jobs (ended_ms) WHERE ended_ms IS NOT NULL;

-- Apart from `jobs`, so that lists stay fast: these texts are long and seldom looked at.
CREATE TABLE job_documents (
    job_id  INTEGER PRIMARY KEY,
    spec    TEXT NOT NULL,
    program TEXT
) STRICT;

CREATE TABLE attempts (
    job_id      INTEGER NOT NULL,
    attempt     INTEGER NOT NULL,
    launched_ms INTEGER NOT NULL,
    started_ms  INTEGER,
    ended_ms    INTEGER,
    outcome     TEXT,
    nodes       INTEGER NOT NULL,
    gpus        INTEGER NOT NULL,
    PRIMARY KEY (job_id, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE placements (
    job_id      INTEGER NOT NULL,
    attempt     INTEGER NOT NULL,
    node        TEXT    NOT NULL,
    group_index INTEGER NOT NULL,
    rank        INTEGER NOT NULL,
    gpus        TEXT    NOT NULL,
    share_milli INTEGER,
    PRIMARY KEY (job_id, attempt, group_index, rank)
) STRICT, WITHOUT ROWID;
CREATE INDEX placements_node ON placements (node, job_id);

CREATE TABLE events (
    sequence INTEGER NOT NULL,
    part     INTEGER NOT NULL,
    time_ms  INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    job_id   INTEGER,
    node     TEXT,
    text     TEXT    NOT NULL,
    PRIMARY KEY (sequence, part)
) STRICT, WITHOUT ROWID;
CREATE INDEX events_job  ON events (job_id, sequence, part) WHERE job_id IS NOT NULL;
CREATE INDEX events_node ON events (node, sequence, part) WHERE node IS NOT NULL;
CREATE INDEX events_rest ON events (time_ms) WHERE job_id IS NULL;

CREATE TABLE usage (
    job_id           INTEGER NOT NULL,
    attempt          INTEGER NOT NULL,
    node             TEXT    NOT NULL,
    from_ms          INTEGER NOT NULL,
    to_ms            INTEGER NOT NULL,
    gpus             INTEGER NOT NULL,
    allocated_gpu_ms INTEGER NOT NULL,
    active_gpu_ms    INTEGER,
    useful_gpu_ms    INTEGER,
    PRIMARY KEY (job_id, attempt, node, from_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_end ON usage (to_ms);

-- What is left of the usage of jobs that have been forgotten; `day` counts days since 1970.
CREATE TABLE usage_daily (
    day              INTEGER NOT NULL,
    user             TEXT    NOT NULL,
    team             TEXT    NOT NULL,
    queue            TEXT    NOT NULL,
    allocated_gpu_ms INTEGER NOT NULL,
    active_gpu_ms    INTEGER,
    useful_gpu_ms    INTEGER,
    PRIMARY KEY (day, user, team, queue)
) STRICT, WITHOUT ROWID;

CREATE TABLE nodes (
    name            TEXT PRIMARY KEY,
    model           TEXT    NOT NULL,
    gpus            INTEGER NOT NULL,
    state           TEXT    NOT NULL,
    first_joined_ms INTEGER NOT NULL,
    last_joined_ms  INTEGER NOT NULL,
    last_lost_ms    INTEGER
) STRICT, WITHOUT ROWID;
