//! Accounts of an issuer: its tokens let in, and nothing that only looks like one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use jsonwebtoken::jwk::{Jwk, JwkSet};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use muster_server::limit::Limits;
use muster_server::oidc::OidcSettings;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::server::guarded;

/// An issuer with one key.
struct Issuer {
    url: String,
    key: EncodingKey,
    asked: Arc<AtomicUsize>,
}

/// A key to sign with.
fn key() -> EncodingKey {
    let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("keys can be made");
    EncodingKey::from_ec_der(pair.to_pkcs8v1().expect("it can be written").as_ref())
}

impl Issuer {
    async fn start() -> Issuer {
        let key = key();
        let mut public =
            Jwk::from_encoding_key(&key, Algorithm::ES256).expect("it has a public half");
        public.common.key_id = Some("first".to_owned());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
        let url = format!("http://{}", listener.local_addr().expect("it listens"));
        let asked = Arc::new(AtomicUsize::new(0));
        let description = json!({"issuer": url, "jwks_uri": format!("{url}/keys")});
        let keys = JwkSet { keys: vec![public] };
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(async || Json(description)))
            .route(
                "/keys",
                get(async move |State(asked): State<Arc<AtomicUsize>>| {
                    asked.fetch_add(1, Ordering::Relaxed);
                    Json(keys)
                }),
            )
            .with_state(Arc::clone(&asked));
        tokio::spawn(async { axum::serve(listener, router).await });
        Issuer { url, key, asked }
    }

    fn settings(&self) -> OidcSettings {
        let text = format!(
            "issuer = \"{}\"\naudience = \"muster\"\n\
             roles = [{{ group = \"vision\", role = \"user\", queue = \"vision\" }}]",
            self.url
        );
        toml::from_str(&text).expect("these are settings")
    }

    /// Claims of a user of group `vision`, good for an hour.
    fn claims(&self) -> Value {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("1970 is over").as_secs();
        json!({
            "iss": self.url, "aud": "muster", "exp": now + 3600, "sub": "1234",
            "preferred_username": "user-a@lab.example", "groups": ["vision"],
        })
    }

    fn signed(&self, claims: &Value) -> String {
        signed("first", &self.key, claims)
    }
}

fn signed(name: &str, key: &EncodingKey, claims: &Value) -> String {
    let header = Header { kid: Some(name.to_owned()), ..Header::new(Algorithm::ES256) };
    encode(&header, claims, key).expect("claims can be signed")
}

#[tokio::test]
async fn account_of_the_issuer_is_let_in_with_the_roles_of_its_groups() {
    let issuer = Issuer::start().await;
    let (guarded, _folder) = guarded(Limits::default(), Some(issuer.settings())).await;
    let token = issuer.signed(&issuer.claims());
    for _ in 0..3 {
        let response = guarded.get("/v1/whoami", &token).await;
        assert_eq!(response.status(), StatusCode::OK);
        let said: Value = response.json().await.expect("it is JSON");
        let grants = json!([{"role": "user", "queue": "vision"}]);
        assert_eq!(said, json!({"user": "user-a", "grants": grants}));
    }
    assert_eq!(issuer.asked.load(Ordering::Relaxed), 1, "keys are kept");
    let policy = guarded.get("/v1/audit", &token).await;
    assert_eq!(policy.status(), StatusCode::FORBIDDEN);
    let own = guarded.get("/v1/whoami", &guarded.tokens.user_a).await;
    assert_eq!(own.status(), StatusCode::OK, "tokens of the cluster are as good as before");
    guarded.stop().await;
}

#[tokio::test]
async fn whatever_is_not_right_about_a_token_is_refused_and_named() {
    let issuer = Issuer::start().await;
    let (guarded, _folder) = guarded(Limits::default(), Some(issuer.settings())).await;
    let good = issuer.claims();
    let with = |field: &str, value: Value| {
        let mut claims = good.clone();
        claims[field] = value;
        issuer.signed(&claims)
    };
    let unsigned = "eyJhbGciOiJub25lIn0.e30.".to_owned();
    let shared = encode(&Header::new(Algorithm::HS256), &good, &EncodingKey::from_secret(b"x"));
    let cases = [
        (with("exp", json!(1)), "expired"),
        (with("aud", json!("another")), "not meant for `muster`"),
        (with("iss", json!("https://elsewhere.example")), "another has issued it"),
        (with("nbf", json!(u32::MAX)), "not valid yet"),
        (with("groups", json!(["speech"])), "no group that has a role"),
        (with("preferred_username", json!("../root")), "no name of a user"),
        (signed("first", &key(), &good), "signature is wrong"),
        (signed("second", &issuer.key, &good), "no such key"),
        (shared.expect("it can be signed"), "signed with HS256"),
        (unsigned, "not accepted"),
    ];
    for (token, words) in cases {
        let response = guarded.get("/v1/whoami", &token).await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{words}");
        let said = response.text().await.expect("it has a body");
        assert!(said.contains(words), "{words}: {said}");
        assert!(said.contains("hint"), "{said}");
    }
    let many = issuer.asked.load(Ordering::Relaxed);
    assert_eq!(many, 1, "who makes up names of keys does not make the server ask each time");
    guarded.stop().await;
}
