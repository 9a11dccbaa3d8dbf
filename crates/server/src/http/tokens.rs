//! Tokens: making, listing, taking back; and who one is.

use axum::Extension;
use axum::http::StatusCode;
use muster_api::moment::Moment;
use muster_api::{Identity, Page, Problem, TokenRequest, TokenView};
use muster_model::{Name, Time};
use muster_store::Token;

use super::Shared;
use super::answer::{Answered, Json, Path, Problems, broken, done, unknown};
use super::audit::Touched;
use crate::access::{Caller, Grant, NewToken, Role, Verb};

#[utoipa::path(
    get,
    path = "/v1/tokens",
    operation_id = "tokens_list",
    tag = "access",
    summary = "List tokens, without their secrets",
    responses((status = 200, description = "All tokens", body = Page<TokenView>), Problems)
)]
pub(crate) async fn list(app: Shared, caller: Caller) -> Answered<Json<Page<TokenView>>> {
    caller.must(Verb::ChangeTokens, None, None)?;
    let items = app.door.tokens().into_iter().map(|token| view(token, None)).collect();
    Ok(Json(Page { items, next: None }))
}

#[utoipa::path(
    post,
    path = "/v1/tokens",
    operation_id = "tokens_create",
    tag = "access",
    summary = "Make a token",
    request_body = TokenRequest,
    responses(
        (status = 201, description = "The token with its secret, which is shown once",
         body = TokenView),
        Problems
    )
)]
pub(crate) async fn create(
    app: Shared,
    caller: Caller,
    Json(wanted): Json<TokenRequest>,
) -> Answered<(StatusCode, Extension<Touched>, Json<TokenView>)> {
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
    let touched = Extension(Touched(format!("tokens/{}", token.id)));
    Ok((StatusCode::CREATED, touched, Json(view(token, Some(secret)))))
}

#[utoipa::path(
    delete,
    path = "/v1/tokens/{id}",
    operation_id = "tokens_revoke",
    tag = "access",
    summary = "Make a token worthless",
    params(("id" = String, Path, description = "What it is revoked by")),
    responses((status = 200, description = "It is done"), Problems)
)]
pub(crate) async fn revoke(
    app: Shared,
    caller: Caller,
    Path(id): Path<String>,
) -> Answered<Json<serde_json::Value>> {
    caller.must(Verb::ChangeTokens, None, None)?;
    if !app.door.revoke(&id, app.driver.now()).map_err(broken)? {
        return Err(unknown("token", id));
    }
    Ok(done())
}

#[utoipa::path(
    get,
    path = "/v1/whoami",
    operation_id = "tokens_whoami",
    tag = "access",
    summary = "Say whom a token stands for",
    responses(
        (status = 200, description = "The user and what they may do", body = Identity),
        Problems
    )
)]
pub(crate) async fn whoami(caller: Caller) -> Json<Identity> {
    let grants = caller.grants.iter().map(Grant::view).collect();
    Json(Identity { user: caller.user, grants })
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
