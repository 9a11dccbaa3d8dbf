//! Small durable tables beside the journal: tokens by which people and nodes come in, the audit of
//! what they did, and settings. What a role allows and how a token is hashed is left to others.

use std::fmt;

use crate::error::Result;

/// A token as it is stored: by its hash, never by itself.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Token {
    /// The part of the token that finds it.
    pub id: String,
    /// The hash of the whole token.
    pub hash: TokenHash,
    /// Whom it stands for.
    pub user: String,
    /// What it allows.
    pub role: String,
    /// The queue it is good for; all of them if absent.
    pub queue: Option<String>,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: u64,
    /// From when on it is worth nothing.
    pub expires_ms: Option<u64>,
    /// When it was taken back.
    pub revoked_ms: Option<u64>,
    /// What it is for, in the words of who made it.
    pub note: String,
    /// How many times it can still be used; any number if absent.
    pub uses_left: Option<u64>,
}

/// The hash of a token. It prints as nothing, so that no log ever has it.
#[derive(Clone, Eq, PartialEq)]
pub struct TokenHash(pub Vec<u8>);

impl fmt::Debug for TokenHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TokenHash(…)")
    }
}

/// Something that somebody did or tried.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct AuditEntry {
    /// When, in milliseconds since 1970.
    pub time_ms: u64,
    /// Who.
    pub who: String,
    /// What, such as `cancel`.
    pub verb: String,
    /// To what, such as `job 17`.
    pub object: String,
    /// How it went, such as `done` or `refused`.
    pub outcome: String,
    /// The address it came from.
    pub source: String,
}

/// An entry of the audit with its number, which is never given twice.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AuditRow {
    /// Its number, growing with time.
    pub number: u64,
    /// What it says.
    pub entry: AuditEntry,
}

/// Tokens, audit and settings. All writes are durable when they return.
pub trait Access: Send {
    /// Adds a token, or does nothing and says so if its id is taken.
    ///
    /// # Errors
    /// Only those of the database, as for all that follows.
    fn token_add(&mut self, token: &Token) -> Result<bool>;

    /// The token with this id, revoked or not.
    ///
    /// # Errors
    /// Only those of the database.
    fn token(&self, id: &str) -> Result<Option<Token>>;

    /// All tokens in order of their ids, revoked ones included.
    ///
    /// # Errors
    /// Only those of the database.
    fn tokens(&self) -> Result<Vec<Token>>;

    /// Takes a token back. Says whether there was one to take back.
    ///
    /// # Errors
    /// Only those of the database.
    fn token_revoke(&mut self, id: &str, time_ms: u64) -> Result<bool>;

    /// Uses a token once. Says whether it had a use left, and how many it has now; tokens that are
    /// good any number of times have none to take.
    ///
    /// # Errors
    /// Only those of the database.
    fn token_use(&mut self, id: &str) -> Result<Option<u64>>;

    /// Forgets tokens that expired or were revoked before `time_ms`. Returns how many.
    ///
    /// # Errors
    /// Only those of the database.
    fn tokens_forget(&mut self, time_ms: u64) -> Result<u64>;

    /// Appends to the audit, all or none. Returns the last number of the audit.
    ///
    /// # Errors
    /// Only those of the database.
    fn audit_append(&mut self, entries: &[AuditEntry]) -> Result<u64>;

    /// At most `limit` entries before number `before`, or the latest ones; newest first.
    ///
    /// # Errors
    /// Only those of the database.
    fn audit_page(&self, before: Option<u64>, limit: usize) -> Result<Vec<AuditRow>>;

    /// Forgets entries from before `time_ms`, and the oldest of those beyond `count_max`. Returns
    /// how many are gone.
    ///
    /// # Errors
    /// Only those of the database.
    fn audit_retain(&mut self, time_ms: u64, count_max: u64) -> Result<u64>;

    /// What a setting says.
    ///
    /// # Errors
    /// Only those of the database.
    fn setting(&self, key: &str) -> Result<Option<String>>;

    /// Changes a setting, or takes it away.
    ///
    /// # Errors
    /// Only those of the database.
    fn setting_set(&mut self, key: &str, value: Option<&str>) -> Result<()>;
}
