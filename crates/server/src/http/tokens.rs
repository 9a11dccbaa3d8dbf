//! Tokens: making, listing, taking back; and who one is.

use axum::extract::Path;
use axum::http::StatusCode;
use muster_api::moment::Moment;
use muster_api::{Page, Problem};
use muster_model::{Name, Time};
use muster_store::{AuditEntry, Token};
use serde::{Deserialize, Serialize};

use super::Shared;
use super::answer::{Answered, Json, broken, unknown};
use crate::access::{Caller, NewToken, Role, Verb};

/// A token as its owner sees it; the secret is shown once, when it is made.
#[derive(Debug, Serialize)]
pub(crate) struct TokenView {
    id: String,
    user: String,
    role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue: Option<String>,
    created: Moment,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<Moment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked: Option<Moment>,
    note: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    user: String,
    role: String,
    queue: Option<String>,
    expires: Option<Moment>,
    #[serde(default)]
    note: String,
}

pub(crate) async fn list(app: Shared, caller: Caller) -> Answered<Json<Page<TokenView>>> {
    caller.must(Verb::ChangeTokens, None, None)?;
    let items = app.door.tokens().into_iter().map(|token| view(token, None)).collect();
    Ok(Json(Page { items, next: None }))
}

pub(crate) async fn create(
    app: Shared,
    caller: Caller,
    Json(wanted): Json<Wanted>,
) -> Answered<(StatusCode, Json<TokenView>)> {
    caller.must(Verb::ChangeTokens, None, None)?;
    let role = Role::named(&wanted.role).ok_or_else(|| {
        let detail = format!("`{}` is no role", wanted.role);
        Problem::new(422, "not acceptable", detail)
            .hint("roles are agent, viewer, user, operator, admin")
    })?;
    Name::new(&wanted.user).map_err(|invalid| vec![invalid.in_field("user")])?;
    let (user, queue) = (wanted.user, wanted.queue);
    let expires = wanted.expires.map(|Moment(time)| time);
    let new = NewToken { user, role, queue, expires, note: wanted.note };
    let now = app.driver.now();
    let (token, secret) = app.door.issue(new, now).map_err(broken)?;
    audit(&app, &caller, "create token", &token.id)?;
    Ok((StatusCode::CREATED, Json(view(token, Some(secret)))))
}

pub(crate) async fn revoke(
    app: Shared,
    caller: Caller,
    Path(id): Path<String>,
) -> Answered<Json<serde_json::Value>> {
    caller.must(Verb::ChangeTokens, None, None)?;
    if !app.door.revoke(&id, app.driver.now()).map_err(broken)? {
        return Err(unknown("token", id));
    }
    audit(&app, &caller, "revoke token", &id)?;
    Ok(Json(serde_json::json!({})))
}

pub(crate) async fn whoami(caller: Caller) -> Json<serde_json::Value> {
    let Caller { user, role, queue } = caller;
    Json(serde_json::json!({ "user": user, "role": role, "queue": queue }))
}

fn audit(app: &Shared, caller: &Caller, verb: &str, object: &str) -> Answered<()> {
    let entry = AuditEntry {
        time_ms: app.driver.now().0,
        who: caller.user.clone(),
        verb: verb.to_owned(),
        object: object.to_owned(),
        outcome: "done".to_owned(),
        source: String::new(),
    };
    app.door.audit(entry).map_err(broken)
}

fn view(token: Token, secret: Option<String>) -> TokenView {
    let moment = |time: u64| Moment(Time(time));
    TokenView {
        id: token.id,
        user: token.user,
        role: token.role,
        queue: token.queue,
        created: moment(token.created_ms),
        expires: token.expires_ms.map(moment),
        revoked: token.revoked_ms.map(moment),
        note: token.note,
        secret,
    }
}
