//! How nodes come in: the cluster's authority for who does not know it yet, join tokens, and what
//! they are exchanged for.

use std::net::SocketAddr;

use axum::Extension;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, StatusCode};
use muster_api::join::{Authority, Join, JoinMade, JoinRequest, JoinToken, Joined};
use muster_api::{Moment, Problem, Secret};
use muster_model::{Invalid, Millis, Name};
use muster_store::AuditEntry;

use super::answer::{Answered, Json, Problems, broken};
use super::audit::Touched;
use super::{Shared, auth};
use crate::access::{Caller, NewJoin, NotJoined, Verb};

/// How long a join token is good unless it is told: long enough to walk to a machine.
const LIFETIME: Millis = Millis::seconds(3600);

/// The longest: who needs more makes another.
const LIFETIME_MAX: Millis = Millis::seconds(30 * 24 * 3600);

/// The most nodes that come in by one join token.
const USES_MAX: u32 = 10_000;

/// Whom to trust. Everyone may ask: who does not know the fingerprint learns nothing that helps.
#[utoipa::path(
    get,
    path = "/v1/ca",
    operation_id = "join_authority",
    tag = "access",
    summary = "Show the cluster's certificate authority",
    responses((status = 200, description = "Whom to trust", body = Authority), Problems)
)]
pub(crate) async fn authority(app: Shared) -> Answered<Json<Authority>> {
    let none = || {
        let detail = "this cluster has no certificate authority of its own";
        let hint = "its certificate is by someone else; name theirs with --ca FILE where the \
                    system does not know them";
        Problem::new(404, "unknown", detail).hint(hint)
    };
    Ok(Json(app.authority.clone().ok_or_else(none)?))
}

/// Makes a join token.
#[utoipa::path(
    post,
    path = "/v1/tokens/join",
    operation_id = "join_create",
    tag = "access",
    summary = "Make a token that new nodes come in with",
    request_body = JoinRequest,
    responses((status = 201, description = "The token, shown once", body = JoinMade), Problems)
)]
pub(crate) async fn create(
    app: Shared,
    caller: Caller,
    Json(wanted): Json<JoinRequest>,
) -> Answered<(StatusCode, Extension<Touched>, Json<JoinMade>)> {
    caller.must(Verb::ChangeNode, None, None)?;
    let lifetime = wanted.lifetime_ms.map_or(LIFETIME, Millis);
    let uses = wanted.uses.unwrap_or(1);
    let mut wrong = Vec::new();
    if lifetime.0 == 0 || lifetime > LIFETIME_MAX {
        let allowed = format!("expected more than nothing and at most {LIFETIME_MAX}");
        wrong.push(Invalid::new("lifetime_ms", lifetime.to_string(), allowed));
    }
    if uses == 0 || uses > USES_MAX {
        let allowed = format!("expected at least 1 and at most {USES_MAX}");
        wrong.push(Invalid::new("uses", uses.to_string(), allowed));
    }
    if !wrong.is_empty() {
        return Err(wrong.into());
    }
    let now = app.driver.now();
    let new = NewJoin { user: caller.user, lifetime, uses, note: wanted.note };
    let (token, secret) = app.door.issue_join(new, now).map_err(broken)?;
    let fingerprint = app.authority.as_ref().map(|authority| authority.fingerprint);
    let whole = JoinToken { secret: Secret::new(&secret), fingerprint };
    let expires = Moment(now + lifetime);
    let touched = Extension(Touched(format!("tokens/{}", token.id)));
    let made = JoinMade { id: token.id, token: whole.write(), expires, uses };
    Ok((StatusCode::CREATED, touched, Json(made)))
}

/// Lets a node in that has a join token.
pub(crate) async fn join(
    app: Shared,
    from: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    Json(join): Json<Join>,
) -> Answered<Json<Joined>> {
    let secret = auth::secret(&headers).unwrap_or_default();
    let now = app.driver.now();
    let name = Name::new(&join.name).map_err(|invalid| vec![invalid.in_field("name")])?;
    let joined = app.door.join(secret, &name, now).map_err(broken)?;
    let token = joined.map_err(|refused| {
        let detail = match refused {
            NotJoined::Unknown => "this is not a join token of this cluster",
            NotJoined::Revoked => "the join token was revoked",
            NotJoined::Expired => "the join token has expired",
            NotJoined::UsedUp => "the join token was used as often as it may be",
        };
        let hint = "an operator makes a new one with `muster token join`; --expires and --uses \
                    say for how long and for how many nodes";
        Problem::new(401, "not allowed in", detail).hint(hint)
    })?;
    let entry = AuditEntry {
        time_ms: now.0,
        who: name.to_string(),
        verb: "join".to_owned(),
        object: format!("nodes/{name}"),
        outcome: "done".to_owned(),
        source: from.map(|from| from.0.0.ip().to_string()).unwrap_or_default(),
    };
    app.door.audit(entry).map_err(broken)?;
    Ok(Json(Joined { token: Secret::new(&token) }))
}
