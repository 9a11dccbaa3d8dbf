//! What shells and editors ask for.

use crate::fake::home;

#[test]
fn every_shell_has_completions() {
    let home = home("completions");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let said = home.muster(&["completions", shell]);
        assert_eq!((said.err.as_str(), said.code), ("", Some(0)), "{shell}");
        assert!(said.out.contains("requeue") && said.out.contains("token-file"), "{shell}");
    }
    assert_eq!(home.muster(&["completions", "abacus"]).code, Some(2));
}

#[test]
fn descriptions_are_the_committed_ones() {
    let home = home("schema");
    let job_file = include_str!("../../../../docs/job-file.schema.json");
    assert_eq!(home.muster(&["schema"]).out, job_file);
    let api = include_str!("../../../../docs/openapi.json");
    let now = home.muster(&["schema", "api"]).out;
    assert!(now == api, "run `muster schema api > docs/openapi.json`");
}

#[test]
fn login_keeps_a_token_only_if_the_server_takes_it() {
    use axum::http::{HeaderMap, StatusCode};
    use axum::response::IntoResponse;
    use axum::routing::get;
    use axum::{Json, Router};
    let whoami = |headers: HeaderMap| async move {
        let shown = headers.get("authorization").and_then(|value| value.to_str().ok());
        match shown {
            Some("Bearer right") => {
                Json(serde_json::json!({"user": "user-a", "grants": [{"role": "user"}]}))
                    .into_response()
            }
            _ => StatusCode::UNAUTHORIZED.into_response(),
        }
    };
    let home = crate::fake::cluster("login", Router::new().route("/v1/whoami", get(whoami)));
    home.write("wrong", "wrong\n");
    home.write("right", "right\n");
    let kept = home.folder().join(".config/muster/credentials.toml");
    let refused = home.muster(&["login", "--token-file", "wrong"]);
    assert_eq!((refused.code, kept.exists()), (Some(1), false));
    assert!(refused.err.contains("hint: sign in"), "{}", refused.err);
    let taken = home.muster(&["login", "--token-file", "right"]);
    assert_eq!((taken.code, kept.exists()), (Some(0), true), "{}", taken.err);
    assert!(taken.err.ends_with("as user-a (user)\n"), "{}", taken.err);
    assert!(!taken.err.contains("right") && taken.out.is_empty());
}
