//! Who asks, and whether they may.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use muster_api::join::JOIN_PREFIX;
use muster_api::{Problem, Submission};

use super::App;
use super::answer::{Answered, Refused};
use crate::access::{Caller, Role, Verb, is_of_a_job};
use crate::oidc::{Oidc, OidcRefusal};

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Caller, Refused> {
        let caller = match parts.extensions.remove::<Identified>() {
            Some(Identified(known)) => known?,
            None => identify(app, &parts.headers).await?,
        };
        // Agents speak as often as their leases ask of them.
        let is_agent = caller.grants.iter().any(|grant| grant.role == Role::Agent);
        if is_agent || app.limiter.take(&caller.user, app.driver.now()) {
            return Ok(caller);
        }
        let detail = format!("{} has asked for too much in a short time", caller.user);
        let hint = "wait a second; many jobs are best submitted as one array, and changes are \
                    best followed with `muster events --follow`";
        Err(Refused(Problem::new(429, "too many requests", detail).hint(hint)))
    }
}

/// Who sent a request, found out before its handler asks.
#[derive(Clone, Debug)]
pub(crate) struct Identified(pub(crate) Answered<Caller>);

/// Who sent a request, by the token that came with it.
pub(crate) async fn identify(app: &App, headers: &HeaderMap) -> Answered<Caller> {
    let Some(secret) = secret(headers) else {
        return Err(turned_away(&"no token was given", "log in with `muster login`"));
    };
    if let Some(oidc) = app.oidc.as_ref().filter(|_| Oidc::is_like(secret)) {
        return oidc.caller(secret).await.map_err(|refusal| {
            let hint = match &refusal {
                OidcRefusal::Token { .. } => "get a new token from the issuer",
                OidcRefusal::Keys { .. } => "try again when the issuer can be reached",
                OidcRefusal::NoRole { .. } => "ask an admin to give a group of yours a role",
            };
            turned_away(&refusal, hint)
        });
    }
    if is_of_a_job(secret) {
        let found = app.job_key.caller(secret, &app.driver.shared().read());
        let what = "this token is good in its job while that runs, and it does not";
        return found.ok_or_else(|| turned_away(&what, "log in with `muster login`"));
    }
    app.door.caller(secret, app.driver.now()).ok_or_else(|| {
        if secret.starts_with(JOIN_PREFIX) {
            let hint = "give it to the agent: `muster agent --join-file FILE`";
            return turned_away(&"a join token lets a node in and allows nothing else", hint);
        }
        let hint = "ask an admin for a new one: `muster token create`";
        turned_away(&"the token is unknown, expired or revoked", hint)
    })
}

/// The token that came with a request.
pub(crate) fn secret(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    Some(value.strip_prefix("Bearer ")?.trim())
}

fn turned_away(detail: &dyn std::fmt::Display, hint: &str) -> Refused {
    Refused(Problem::new(401, "not allowed in", detail.to_string()).hint(hint))
}

impl Caller {
    /// Refuses what they may not do to something of `user` in `queue`.
    pub(crate) fn must(&self, verb: Verb, user: Option<&str>, queue: Option<&str>) -> Answered<()> {
        if self.may(verb, user, queue) {
            return Ok(());
        }
        let detail = format!("{} is {self}, which does not allow this", self.user);
        Err(Problem::new(403, "not allowed", detail).into())
    }
}

impl Caller {
    /// Refuses a job that would run under another account than its user's: nodes believe the
    /// server, so whoever could choose would be everybody. Operators may.
    pub(crate) fn must_run_as(&self, Submission { spec, program }: &Submission) -> Answered<()> {
        let other = program.account.as_ref().filter(|account| account.name != spec.user.as_str());
        let Some(account) = other else { return Ok(()) };
        if self.may(Verb::Submit, None, Some(spec.queue.as_str())) {
            return Ok(());
        }
        let detail = format!("a job of {} would run as {}", spec.user, account.name);
        let hint = "jobs run under the account of their user; an operator may choose another";
        Err(Refused(Problem::new(403, "not allowed", detail).hint(hint)))
    }
}

impl std::fmt::Display for Caller {
    /// What they may do: `user in vision, viewer`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let grants: Vec<String> =
            self.grants.iter().map(|grant| grant.view().to_string()).collect();
        formatter.write_str(&grants.join(", "))
    }
}
