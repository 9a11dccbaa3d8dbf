//! Who asks, and whether they may.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use muster_api::Problem;

use super::App;
use super::answer::{Answered, Refused};
use crate::access::{Caller, Role, Verb};

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Caller, Refused> {
        let secret = secret(&parts.headers);
        let now = app.driver.now();
        let caller = secret.and_then(|secret| app.door.caller(secret, now));
        let caller = caller.ok_or_else(|| {
            let (detail, hint) = match secret {
                None => ("no token was given", "log in with `muster login`"),
                Some(_) => (
                    "the token is unknown, expired or revoked",
                    "ask an admin for a new one: `muster token create`",
                ),
            };
            Refused(Problem::new(401, "not allowed in", detail).hint(hint))
        })?;
        // Agents speak as often as their leases ask of them.
        if caller.role == Role::Agent || app.limiter.take(&caller.user, now) {
            return Ok(caller);
        }
        let detail = format!("{} has asked for too much in a short time", caller.user);
        let hint = "wait a second; many jobs are best submitted as one array, and changes are \
                    best followed with `muster events --follow`";
        Err(Refused(Problem::new(429, "too many requests", detail).hint(hint)))
    }
}

/// The token that came with a request.
pub(crate) fn secret(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?;
    Some(value.to_str().ok()?.strip_prefix("Bearer ")?.trim())
}

impl Caller {
    /// Refuses what they may not do to something of `user` in `queue`.
    pub(crate) fn must(&self, verb: Verb, user: Option<&str>, queue: Option<&str>) -> Answered<()> {
        if self.may(verb, user, queue) {
            return Ok(());
        }
        let scope = self.queue.as_ref().map(|queue| format!(" in {queue}")).unwrap_or_default();
        let detail =
            format!("{} is {}{scope}, which does not allow this", self.user, self.role.word());
        Err(Problem::new(403, "not allowed", detail).into())
    }
}
