-- Who may do what, by tokens of which only hashes are kept.
CREATE TABLE tokens (
    id         TEXT PRIMARY KEY,
    hash       BLOB    NOT NULL,
    user       TEXT    NOT NULL,
    role       TEXT    NOT NULL,
    queue      TEXT,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER,
    revoked_ms INTEGER,
    note       TEXT    NOT NULL
) STRICT;

-- Who did what. Numbers are never given twice, also after old rows are gone.
CREATE TABLE audit (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    time_ms INTEGER NOT NULL,
    who     TEXT    NOT NULL,
    verb    TEXT    NOT NULL,
    object  TEXT    NOT NULL,
    outcome TEXT    NOT NULL,
    source  TEXT    NOT NULL
) STRICT;
CREATE INDEX audit_time ON audit (time_ms);

-- Facts about the cluster that outlive a process: its id, where its keys are.
CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
