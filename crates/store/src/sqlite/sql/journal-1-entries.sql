-- The journal: what happened, in order. `crc` is over sequence, time, version and body.
CREATE TABLE entries (
    sequence INTEGER PRIMARY KEY,
    time_ms  INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    crc      INTEGER NOT NULL,
    body     BLOB    NOT NULL
) STRICT;

-- The whole state after an entry; the latest ones.
CREATE TABLE snapshots (
    sequence INTEGER PRIMARY KEY,
    time_ms  INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    crc      INTEGER NOT NULL,
    body     BLOB    NOT NULL
) STRICT;

-- What was cut out of the two tables above. Whatever was in a row is kept, so any type may be.
CREATE TABLE damaged (
    kind         TEXT,
    sequence     ANY,
    time_ms      ANY,
    version      ANY,
    crc          ANY,
    body         ANY,
    set_aside_ms INTEGER
) STRICT;

-- For people: SELECT * FROM journal ORDER BY sequence DESC LIMIT 10;
CREATE VIEW journal AS
    SELECT sequence,
           strftime('%Y-%m-%dT%H:%M:%fZ', time_ms / 1000.0, 'unixepoch') AS time,
           version,
           CAST(body AS TEXT) AS body
    FROM entries;
