//! What every store of tokens, audit and settings does.

use muster_store::{Access, AuditEntry, Token, TokenHash};

fn token(id: &str) -> Token {
    Token {
        id: id.to_owned(),
        hash: TokenHash(vec![0, 255, 17]),
        user: "user-a".to_owned(),
        role: "operator".to_owned(),
        queue: Some("vision".to_owned()),
        created_ms: 1_000,
        expires_ms: Some(9_000),
        revoked_ms: None,
        note: "for the build machine".to_owned(),
        uses_left: Some(2),
    }
}

fn audit(time_ms: u64) -> AuditEntry {
    AuditEntry {
        time_ms,
        who: "user-a".to_owned(),
        verb: "cancel".to_owned(),
        object: format!("job {time_ms}"),
        outcome: "done".to_owned(),
        source: "127.0.0.1:4000".to_owned(),
    }
}

pub(crate) fn tokens_come_back_as_they_were_added(access: &mut dyn Access) {
    let bare = Token { queue: None, expires_ms: None, uses_left: None, ..token("a") };
    assert!(access.token_add(&token("b")).unwrap());
    assert!(access.token_add(&bare).unwrap());
    assert_eq!(access.token("b").unwrap(), Some(token("b")));
    assert_eq!(access.token("c").unwrap(), None);
    assert_eq!(access.tokens().unwrap(), [bare, token("b")]);
}

pub(crate) fn a_taken_id_is_not_overwritten(access: &mut dyn Access) {
    assert!(access.token_add(&token("a")).unwrap());
    let other = Token { user: "user-b".to_owned(), ..token("a") };
    assert!(!access.token_add(&other).unwrap());
    assert_eq!(access.token("a").unwrap(), Some(token("a")));
}

pub(crate) fn a_token_is_revoked_once(access: &mut dyn Access) {
    access.token_add(&token("a")).unwrap();
    assert!(!access.token_revoke("b", 5_000).unwrap());
    assert!(access.token_revoke("a", 5_000).unwrap());
    assert!(!access.token_revoke("a", 6_000).unwrap());
    assert_eq!(access.token("a").unwrap().unwrap().revoked_ms, Some(5_000));
}

pub(crate) fn a_token_is_used_as_often_as_it_may(access: &mut dyn Access) {
    access.token_add(&token("a")).unwrap();
    access.token_add(&Token { uses_left: None, ..token("any") }).unwrap();
    assert_eq!(access.token_use("a").unwrap(), Some(1));
    assert_eq!(access.token_use("a").unwrap(), Some(0));
    assert_eq!(access.token_use("a").unwrap(), None);
    assert_eq!(access.token("a").unwrap().unwrap().uses_left, Some(0));
    assert_eq!(access.token_use("any").unwrap(), None);
    assert_eq!(access.token_use("b").unwrap(), None);
}

pub(crate) fn tokens_of_the_past_are_forgotten(access: &mut dyn Access) {
    access.token_add(&token("expired")).unwrap();
    access.token_add(&Token { expires_ms: None, ..token("revoked") }).unwrap();
    access.token_add(&Token { expires_ms: None, ..token("valid") }).unwrap();
    access.token_revoke("revoked", 8_000).unwrap();
    assert_eq!(access.tokens_forget(8_000).unwrap(), 0);
    assert_eq!(access.tokens_forget(8_001).unwrap(), 1);
    assert_eq!(access.tokens_forget(u64::MAX).unwrap(), 1);
    let left: Vec<_> = access.tokens().unwrap().into_iter().map(|token| token.id).collect();
    assert_eq!(left, ["valid"]);
}

pub(crate) fn the_audit_is_paged_backwards(access: &mut dyn Access) {
    assert_eq!(access.audit_append(&[]).unwrap(), 0);
    assert_eq!(access.audit_append(&[audit(1), audit(2), audit(3)]).unwrap(), 3);
    assert_eq!(access.audit_append(&[audit(4)]).unwrap(), 4);
    let page = access.audit_page(None, 3).unwrap();
    let numbers: Vec<_> = page.iter().map(|row| row.number).collect();
    assert_eq!(numbers, [4, 3, 2]);
    assert_eq!(page[0].entry, audit(4));
    let page = access.audit_page(Some(2), 3).unwrap();
    assert_eq!(page.len(), 1);
    assert_eq!(page[0].entry, audit(1));
}

pub(crate) fn the_audit_is_bounded_by_age_and_count(access: &mut dyn Access) {
    let all: Vec<_> = (1..=10).map(audit).collect();
    access.audit_append(&all).unwrap();
    assert_eq!(access.audit_retain(4, 100).unwrap(), 3);
    assert_eq!(access.audit_retain(0, 5).unwrap(), 2);
    assert_eq!(access.audit_retain(0, 5).unwrap(), 0);
    let times: Vec<_> =
        access.audit_page(None, 100).unwrap().iter().map(|row| row.entry.time_ms).collect();
    assert_eq!(times, [10, 9, 8, 7, 6]);
    assert_eq!(access.audit_retain(u64::MAX, 0).unwrap(), 5);
    assert_eq!(access.audit_append(&[audit(11)]).unwrap(), 11, "numbers are never given twice");
}

pub(crate) fn settings_are_changed_and_taken_away(access: &mut dyn Access) {
    assert_eq!(access.setting("cluster").unwrap(), None);
    access.setting_set("cluster", Some("one")).unwrap();
    access.setting_set("cluster", Some("two")).unwrap();
    assert_eq!(access.setting("cluster").unwrap().as_deref(), Some("two"));
    access.setting_set("cluster", None).unwrap();
    assert_eq!(access.setting("cluster").unwrap(), None);
}

pub(crate) fn no_hash_is_ever_printed(access: &mut dyn Access) {
    access.token_add(&token("a")).unwrap();
    let printed = format!("{:?}", access.token("a").unwrap());
    assert!(printed.contains("user-a") && !printed.contains("255"), "{printed}");
}
