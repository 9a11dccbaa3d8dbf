//! A server that is guarded, on a folder of its own.

use muster_server::limit::Limits;
use muster_server::oidc::OidcSettings;

use crate::support::{Serving, folder};

/// A server with limits, and with accounts of an issuer or none; its folder goes with the test.
pub(super) async fn guarded(
    limits: Limits,
    oidc: Option<OidcSettings>,
) -> (Serving, tempfile::TempDir) {
    let folder = folder();
    let change = |settings: &mut muster_server::ServerSettings| {
        (settings.limits, settings.oidc) = (limits, oidc);
    };
    (Serving::start(folder.path(), change).await, folder)
}
