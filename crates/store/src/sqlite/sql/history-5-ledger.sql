-- The accounting. A span that goes on ends at the largest number there is.
CREATE TABLE allocations (
    job_id  INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    node    TEXT    NOT NULL,
    from_ms INTEGER NOT NULL,
    to_ms   INTEGER NOT NULL,
    gpus    INTEGER NOT NULL,
    model   TEXT    NOT NULL,
    PRIMARY KEY (job_id, attempt, node, from_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX allocations_end ON allocations (to_ms);

-- What nodes have, and how much of it is neither held nor to be had. `gpus` are whole ones here.
CREATE TABLE capacity (
    node     TEXT    NOT NULL,
    from_ms  INTEGER NOT NULL,
    to_ms    INTEGER NOT NULL,
    gpus     INTEGER NOT NULL,
    model    TEXT    NOT NULL,
    unusable INTEGER NOT NULL,
    why      TEXT    NOT NULL,
    PRIMARY KEY (node, from_ms)
) STRICT, WITHOUT ROWID;

-- When attempts were being saved or put back.
CREATE TABLE overheads (
    job_id  INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    from_ms INTEGER NOT NULL,
    to_ms   INTEGER NOT NULL,
    kind    TEXT    NOT NULL,
    PRIMARY KEY (job_id, attempt, from_ms)
) STRICT, WITHOUT ROWID;

ALTER TABLE attempts ADD COLUMN lost TEXT;
ALTER TABLE attempts ADD COLUMN saved_ms INTEGER;
UPDATE attempts SET lost = CASE outcome WHEN 'preempted' THEN 'paused'
                                        WHEN 'cancelled' THEN 'cancelled' ELSE 'failed' END
WHERE ended_ms IS NOT NULL AND outcome IS NOT 'completed';

-- What agents measured: as it came, later by hours, in the end by days.
CREATE TABLE samples (
    job_id        INTEGER NOT NULL,
    attempt       INTEGER NOT NULL,
    node          TEXT    NOT NULL,
    from_ms       INTEGER NOT NULL,
    to_ms         INTEGER NOT NULL,
    held_gpu_ms   INTEGER NOT NULL,
    active_gpu_ms INTEGER,
    PRIMARY KEY (job_id, attempt, node, from_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX samples_end ON samples (to_ms);

-- Up to when samples have been summed up, by the length of the sums.
CREATE TABLE summed (
    bucket_ms INTEGER PRIMARY KEY,
    until_ms  INTEGER NOT NULL
) STRICT;

-- What is left of jobs that have been forgotten; `day` counts days since 1970.
CREATE TABLE ledger_daily (
    day       INTEGER NOT NULL,
    team      TEXT    NOT NULL,
    user      TEXT    NOT NULL,
    queue     TEXT    NOT NULL,
    class     TEXT    NOT NULL,
    model     TEXT    NOT NULL,
    node      TEXT    NOT NULL,
    allocated INTEGER NOT NULL,
    measured  INTEGER NOT NULL,
    active    INTEGER NOT NULL,
    failed    INTEGER NOT NULL,
    paused    INTEGER NOT NULL,
    cancelled INTEGER NOT NULL,
    overhead  INTEGER NOT NULL,
    PRIMARY KEY (day, team, user, queue, class, model, node)
) STRICT, WITHOUT ROWID;

-- What there was before. Nodes are taken to have been there since they first came.
INSERT INTO samples
    SELECT job_id, attempt, node, from_ms, to_ms, allocated_gpu_ms, active_gpu_ms FROM usage
    WHERE to_ms > from_ms;
INSERT INTO allocations
    SELECT job_id, attempt, node, min(from_ms), max(to_ms), max(usage.gpus),
           coalesce((SELECT model FROM nodes WHERE name = node), '')
    FROM usage WHERE to_ms > from_ms GROUP BY job_id, attempt, node;
INSERT INTO capacity
    SELECT name, first_joined_ms, 9223372036854775807, gpus, model, 0, 'up' FROM nodes;
INSERT INTO ledger_daily
    SELECT day, team, user, queue, '', '', '', allocated_gpu_ms,
           CASE WHEN active_gpu_ms IS NULL THEN 0 ELSE allocated_gpu_ms END,
           coalesce(min(active_gpu_ms, allocated_gpu_ms), 0), 0, 0, 0, 0
    FROM usage_daily;
DROP VIEW gpu_hours;
DROP TABLE usage;
DROP TABLE usage_daily;

-- For people: GPU-hours by day and team, of jobs that are listed and of those forgotten. What was
-- held counts for the day on which it began to be, what computed for the day it was measured on.
CREATE VIEW gpu_hours AS
    SELECT date(day * 86400, 'unixepoch') AS day, team, user, queue, class,
           sum(allocated) / 3600000.0 AS allocated, sum(active) / 3600000.0 AS active
    FROM (
        SELECT day, team, user, queue, class, allocated, active FROM ledger_daily
        UNION ALL
        SELECT from_ms / 86400000, team, user, queue, class,
               (min(to_ms, unixepoch() * 1000) - from_ms) * allocations.gpus / 1000, 0
        FROM allocations JOIN jobs ON jobs.id = job_id
        UNION ALL
        SELECT from_ms / 86400000, team, user, queue, class, 0, active_gpu_ms
        FROM samples JOIN jobs ON jobs.id = job_id
    )
    GROUP BY day, team, user, queue, class;
