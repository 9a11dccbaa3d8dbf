//! Who asks, and whether they may.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use muster_api::Problem;
use muster_api::join::JOIN_PREFIX;

use super::App;
use super::answer::{Answered, Refused};
use crate::access::{Caller, Verb};

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Caller, Refused> {
        let header = parts.headers.get(header::AUTHORIZATION);
        let secret = header.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        let caller = secret.and_then(|secret| app.door.caller(secret.trim(), app.driver.now()));
        caller.ok_or_else(|| {
            let (detail, hint) = match secret {
                None => ("no token was given", "log in with `muster login`"),
                Some(secret) if secret.trim().starts_with(JOIN_PREFIX) => (
                    "a join token lets a node in and allows nothing else",
                    "give it to the agent: `muster agent --join-file FILE`",
                ),
                Some(_) => (
                    "the token is unknown, expired or revoked",
                    "ask an admin for a new one: `muster token create`",
                ),
            };
            Refused(Problem::new(401, "not allowed in", detail).hint(hint))
        })
    }
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
