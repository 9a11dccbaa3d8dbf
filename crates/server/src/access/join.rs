//! Join tokens: good for a while, for so many nodes, and for nothing but to be exchanged for the
//! token of a node.

use muster_api::join::{JOIN_PREFIX, join_id};
use muster_model::{Millis, Name, Time};
use muster_store::{Access, Result as StoreResult, Token};

use super::{Door, NewToken, Role, minted};

/// What is written in place of a role: none of them, so that the token opens nothing else.
const ROLE: &str = "join";

/// A join token to be made.
#[derive(Clone, Debug)]
pub(crate) struct NewJoin {
    /// Who makes it.
    pub(crate) user: String,
    /// For how long it is good.
    pub(crate) lifetime: Millis,
    /// For how many nodes.
    pub(crate) uses: u32,
    /// What it is for.
    pub(crate) note: String,
}

/// Why a node may not come in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotJoined {
    /// There is no such token.
    Unknown,
    /// It was taken back.
    Revoked,
    /// Its time is over.
    Expired,
    /// As many nodes came in as it was good for.
    UsedUp,
}

impl Door {
    /// Makes a join token. The secret is returned once and kept nowhere.
    pub(crate) fn issue_join(&self, new: NewJoin, now: Time) -> StoreResult<(Token, String)> {
        let (id, secret, hash) = minted(JOIN_PREFIX);
        let token = Token {
            id,
            hash,
            user: new.user,
            role: ROLE.to_owned(),
            queue: None,
            created_ms: now.0,
            expires_ms: Some((now + new.lifetime).0),
            revoked_ms: None,
            note: new.note,
            uses_left: Some(u64::from(new.uses)),
        };
        self.add(&token)?;
        Ok((token, secret))
    }

    /// Exchanges a join token for the token of a node.
    pub(crate) fn join(
        &self,
        secret: &str,
        node: &Name,
        now: Time,
    ) -> StoreResult<Result<String, NotJoined>> {
        let id = match self.joins(secret, now) {
            Ok(id) => id,
            Err(refused) => return Ok(Err(refused)),
        };
        // The store counts: of two who come at once with one use left, one gets in.
        let Some(left) = self.store().token_use(&id)? else { return Ok(Err(NotJoined::UsedUp)) };
        self.with_token(&id, |token| token.uses_left = Some(left));
        let note = format!("of a node, by join token {id}");
        let (user, role) = (node.to_string(), Role::Agent);
        let new = NewToken { user, role, queue: None, expires: None, note };
        let (_, secret) = self.issue(new, now)?;
        Ok(Ok(secret))
    }

    /// The join token that a secret is, if it is still good.
    fn joins(&self, secret: &str, now: Time) -> Result<String, NotJoined> {
        let id = join_id(secret).ok_or(NotJoined::Unknown)?;
        let good = self.if_right(id, secret, |token| {
            if token.role != ROLE {
                return Err(NotJoined::Unknown);
            }
            if token.revoked_ms.is_some() {
                return Err(NotJoined::Revoked);
            }
            if token.expires_ms.is_none_or(|end| end <= now.0) {
                return Err(NotJoined::Expired);
            }
            match token.uses_left {
                Some(0) | None => Err(NotJoined::UsedUp),
                Some(_) => Ok(id.to_owned()),
            }
        });
        good.unwrap_or(Err(NotJoined::Unknown))
    }
}

#[cfg(test)]
mod tests {
    use muster_model::{Millis, Name, Time};
    use muster_store::SqliteJournal;

    use super::{NewJoin, NotJoined};
    use crate::access::{Door, Role};

    const HOUR: Millis = Millis::seconds(3600);
    const NOW: Time = Time(1_000_000);

    fn door(folder: &tempfile::TempDir) -> Door {
        let opened = SqliteJournal::open(folder.path()).expect("a new folder");
        Door::open(opened.journal.access().expect("there are tables")).expect("no tokens yet")
    }

    fn made(door: &Door, uses: u32) -> (String, String) {
        let (user, note) = ("user-a".to_owned(), String::new());
        let made = door.issue_join(NewJoin { user, lifetime: HOUR, uses, note }, NOW);
        let (token, secret) = made.expect("the store works");
        (token.id, secret)
    }

    fn join(door: &Door, secret: &str, now: Time) -> Result<String, NotJoined> {
        door.join(secret, &Name::from("node-1"), now).expect("the store works")
    }

    #[test]
    fn join_token_is_good_for_as_many_nodes_as_it_says_and_for_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let door = door(&folder);
        let (_, secret) = made(&door, 2);
        assert_eq!(door.caller(&secret, NOW), None, "it opens nothing by itself");
        for _ in 0..2 {
            let node = join(&door, &secret, NOW).expect("it is good");
            let caller = door.caller(&node, NOW + HOUR).expect("a node stays");
            assert_eq!((caller.user.as_str(), caller.grants.len()), ("node-1", 1));
            assert_eq!(caller.grants[0].role, Role::Agent);
            assert_eq!(join(&door, &node, NOW), Err(NotJoined::Unknown), "a node brings no others");
        }
        assert_eq!(join(&door, &secret, NOW), Err(NotJoined::UsedUp));
    }

    #[test]
    fn uses_are_counted_over_restarts() {
        let folder = tempfile::tempdir().expect("a folder");
        let (before, secret) = {
            let door = door(&folder);
            let (_, secret) = made(&door, 1);
            (join(&door, &secret, NOW), secret)
        };
        assert!(before.is_ok(), "{before:?}");
        assert_eq!(join(&door(&folder), &secret, NOW), Err(NotJoined::UsedUp));
    }

    #[test]
    fn join_token_ends_by_itself_or_when_it_is_revoked() {
        let folder = tempfile::tempdir().expect("a folder");
        let door = door(&folder);
        let (id, secret) = made(&door, 9);
        assert_eq!(join(&door, &secret, NOW + HOUR), Err(NotJoined::Expired));
        let other = format!("{}0", &secret[..secret.len() - 1]);
        let other =
            if other == secret { format!("{}1", &secret[..secret.len() - 1]) } else { other };
        assert_eq!(join(&door, &other, NOW), Err(NotJoined::Unknown));
        assert!(door.revoke(&id, NOW).expect("the store works"));
        assert_eq!(join(&door, &secret, NOW), Err(NotJoined::Revoked));
    }
}
