-- For people. Times are in UTC, GPUs are whole ones, durations are seconds.
CREATE VIEW job_list AS
    SELECT id, name, user, team, queue, class, tasks, gpus / 1000.0 AS gpus, state, outcome, exit,
           datetime(submitted_ms / 1000, 'unixepoch') AS submitted,
           datetime(started_ms / 1000, 'unixepoch')   AS started,
           datetime(ended_ms / 1000, 'unixepoch')     AS ended,
           (started_ms - submitted_ms) / 1000.0       AS waited_s,
           (ended_ms - started_ms) / 1000.0           AS ran_s,
           attempts
    FROM jobs;

CREATE VIEW event_list AS
    SELECT sequence, part, datetime(time_ms / 1000, 'unixepoch') AS time, kind, job_id, node, text
    FROM events;

-- GPU-hours by day, user and queue, of jobs that are still listed and of those forgotten. A span
-- counts for the day it began on.
CREATE VIEW gpu_hours AS
    SELECT date(day * 86400, 'unixepoch') AS day, user, team, queue,
           sum(allocated_gpu_ms) / 3600000.0 AS allocated,
           sum(active_gpu_ms) / 3600000.0    AS active,
           sum(useful_gpu_ms) / 3600000.0    AS useful
    FROM (
        SELECT day, user, team, queue, allocated_gpu_ms, active_gpu_ms, useful_gpu_ms
        FROM usage_daily
        UNION ALL
        SELECT from_ms / 86400000, coalesce(user, ''), coalesce(team, ''), coalesce(queue, ''),
               allocated_gpu_ms, active_gpu_ms, useful_gpu_ms
        FROM usage LEFT JOIN jobs ON jobs.id = usage.job_id
    )
    GROUP BY day, user, team, queue;
