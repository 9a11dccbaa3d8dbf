//! Who may do what: tokens, the roles they carry, and the table of what a role allows.

mod job;
mod join;

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use muster_api::GrantView;
use muster_model::{Millis, Time};
use muster_store::{
    Access, AuditEntry, AuditRow, Result as StoreResult, SqliteAccess, Token, TokenHash,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::links::granted;
pub use job::KeyError;
pub(crate) use job::{JobKey, is_of_a_job};
pub(crate) use join::{NewJoin, NotJoined};

/// What every token begins with, so that scanners for leaked secrets can find it.
const PREFIX: &str = "muster_";

/// Entries of the audit that wait for a store that fails.
const UNWRITTEN_MAX: usize = 10_000;

/// What a token allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// To bring in a node and run tasks on it; nothing else.
    Agent,
    /// To look.
    Viewer,
    /// And to submit, and to change what is one's own.
    User,
    /// And to change what is others', nodes and bookings.
    Operator,
    /// And to change queues, policy and tokens.
    Admin,
}

/// What someone wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// Read anything.
    Look,
    /// Submit a job as oneself.
    Submit,
    /// Change a job.
    ChangeJob,
    /// Change a node or a booking.
    ChangeNode,
    /// Change queues or the policy.
    Configure,
    /// Make and take back tokens.
    ChangeTokens,
    /// Read who did what.
    Audit,
    /// Speak for a node.
    Serve,
}

/// Who is asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The user.
    pub user: String,
    /// What they may do, at least one thing.
    pub grants: Vec<Grant>,
}

/// What someone may do somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    /// What.
    pub role: Role,
    /// The queue they may do it in, with those below it; every one where nothing is said.
    pub queue: Option<String>,
}

impl Role {
    /// The roles, least first.
    pub const ALL: [Role; 5] = [Role::Agent, Role::Viewer, Role::User, Role::Operator, Role::Admin];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Role::Agent => "agent",
            Role::Viewer => "viewer",
            Role::User => "user",
            Role::Operator => "operator",
            Role::Admin => "admin",
        }
    }

    /// The role of that name.
    pub fn named(word: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.word() == word)
    }

    /// Whether it allows something, to what is one's own if `own`.
    pub(crate) fn allows(self, verb: Verb, own: bool) -> bool {
        match verb {
            Verb::Serve => matches!(self, Role::Agent | Role::Admin),
            Verb::Look => self >= Role::Viewer,
            Verb::Submit | Verb::ChangeJob if own => self >= Role::User,
            Verb::Submit | Verb::ChangeJob | Verb::ChangeNode => self >= Role::Operator,
            Verb::Configure | Verb::ChangeTokens | Verb::Audit => self >= Role::Admin,
        }
    }
}

impl Caller {
    /// Whether they may do this to something of `user` in `queue`.
    pub(crate) fn may(&self, verb: Verb, user: Option<&str>, queue: Option<&str>) -> bool {
        let is_own = user.is_some_and(|user| user == self.user);
        self.grants.iter().any(|grant| grant.allows(verb, is_own, queue))
    }
}

impl Grant {
    /// As people see it.
    pub(crate) fn view(&self) -> GrantView {
        GrantView { role: self.role.word().to_owned(), queue: self.queue.clone() }
    }

    fn allows(&self, verb: Verb, is_own: bool, queue: Option<&str>) -> bool {
        let is_in_scope = match (&self.queue, queue) {
            (None, _) => true,
            (Some(_), None) => verb == Verb::Look,
            (Some(mine), Some(queue)) => {
                queue == mine
                    || queue.strip_prefix(mine.as_str()).is_some_and(|rest| rest.starts_with('/'))
            }
        };
        is_in_scope && self.role.allows(verb, is_own)
    }
}

/// The tokens, in memory for every request and on disk for the next start.
#[derive(Debug)]
pub struct Door {
    store: Mutex<SqliteAccess>,
    unwritten: Mutex<Vec<AuditEntry>>,
    tokens: RwLock<BTreeMap<String, Token>>,
}

impl Door {
    /// Reads the tokens.
    pub fn open(store: SqliteAccess) -> StoreResult<Door> {
        let tokens = store.tokens()?.into_iter().map(|token| (token.id.clone(), token)).collect();
        let (store, unwritten) = (Mutex::new(store), Mutex::default());
        Ok(Door { store, unwritten, tokens: RwLock::new(tokens) })
    }

    /// Who a token stands for.
    pub(crate) fn caller(&self, secret: &str, now: Time) -> Option<Caller> {
        self.if_right(id_of(secret)?, secret, |token| {
            let is_over = token.expires_ms.is_some_and(|end| end <= now.0);
            let is_good = token.revoked_ms.is_none() && !is_over;
            let role = Role::named(&token.role).filter(|_| is_good)?;
            let grants = vec![Grant { role, queue: token.queue.clone() }];
            Some(Caller { user: token.user.clone(), grants })
        })?
    }

    /// Looks at the token with this id, if the secret is its own.
    fn if_right<T>(&self, id: &str, secret: &str, look: impl FnOnce(&Token) -> T) -> Option<T> {
        let tokens = self.tokens.read().unwrap_or_else(PoisonError::into_inner);
        let token = tokens.get(id)?;
        let given = blake3::hash(secret.as_bytes());
        let kept: [u8; 32] = token.hash.0.as_slice().try_into().ok()?;
        // Comparing hashes of this library takes the same time whatever they are.
        (given == blake3::Hash::from(kept)).then(|| look(token))
    }

    /// Makes a token. The secret is returned once and kept nowhere.
    pub fn issue(&self, new: NewToken, now: Time) -> StoreResult<(Token, String)> {
        let (id, secret, hash) = minted(PREFIX);
        let token = Token {
            id,
            hash,
            user: new.user,
            role: new.role.word().to_owned(),
            queue: new.queue,
            created_ms: now.0,
            expires_ms: new.expires.map(|time| time.0),
            revoked_ms: None,
            note: new.note,
            uses_left: None,
        };
        self.add(&token)?;
        Ok((token, secret))
    }

    fn add(&self, token: &Token) -> StoreResult<()> {
        self.store().token_add(token)?;
        let mut tokens = self.tokens.write().unwrap_or_else(PoisonError::into_inner);
        tokens.insert(token.id.clone(), token.clone());
        Ok(())
    }

    /// Takes a token back; whether there was one.
    pub fn revoke(&self, id: &str, now: Time) -> StoreResult<bool> {
        let was_there = self.store().token_revoke(id, now.0)?;
        self.with_token(id, |token| {
            token.revoked_ms.get_or_insert(now.0);
        });
        Ok(was_there)
    }

    fn with_token(&self, id: &str, change: impl FnOnce(&mut Token)) {
        let mut tokens = self.tokens.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(token) = tokens.get_mut(id) {
            change(token);
        }
    }

    /// All tokens.
    pub fn tokens(&self) -> Vec<Token> {
        let tokens = self.tokens.read().unwrap_or_else(PoisonError::into_inner);
        tokens.values().cloned().collect()
    }

    /// Writes down what someone did or tried. Those who come while one writes are written
    /// together by the next of them.
    pub(crate) fn audit(&self, entry: AuditEntry) -> StoreResult<()> {
        let unwritten = || self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        unwritten().push(entry);
        let mut store = self.store();
        let mut batch = std::mem::take(&mut *unwritten());
        let written = store.audit_append(&batch);
        if written.is_err() {
            let mut unwritten = unwritten();
            batch.append(&mut unwritten);
            // A store that stays broken may not take all memory.
            batch.drain(..batch.len().saturating_sub(UNWRITTEN_MAX));
            *unwritten = batch;
        }
        written.map(|_| ())
    }

    /// At most so many entries of the audit before this number, newest first.
    pub(crate) fn audited(&self, before: Option<u64>, most: usize) -> StoreResult<Vec<AuditRow>> {
        self.store().audit_page(before, most)
    }

    /// From now on no agent holds a longer lease than this.
    pub(crate) fn keep_lease(&self, lease: Millis) -> StoreResult<()> {
        granted::keep(&mut *self.store(), lease)
    }

    fn store(&self) -> MutexGuard<'_, SqliteAccess> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A token to be made.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// Whom it stands for.
    pub user: String,
    /// What it allows.
    pub role: Role,
    /// In which queue.
    pub queue: Option<String>,
    /// Until when.
    pub expires: Option<Time>,
    /// What it is for.
    pub note: String,
}

/// The part of a token that finds it.
fn id_of(secret: &str) -> Option<&str> {
    secret.strip_prefix(PREFIX)?.split('_').next()
}

/// The id and the secret of a new token, and the hash that is kept of it.
fn minted(prefix: &str) -> (String, String, TokenHash) {
    let id = random_hex::<6>();
    let secret = format!("{prefix}{id}_{}", random_hex::<32>());
    let hash = TokenHash(blake3::hash(secret.as_bytes()).as_bytes().to_vec());
    (id, secret, hash)
}

/// Random bytes from the system, as text.
fn random_hex<const N: usize>() -> String {
    random::<N>().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Random bytes from the system.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    let mut source = std::fs::File::open("/dev/urandom").expect("every Linux has /dev/urandom");
    source.read_exact(&mut bytes).expect("/dev/urandom never ends");
    bytes
}
