//! The dashboard's files over HTTP: pages, scripts and styles, with a policy that lets them load
//! nothing from elsewhere. What they show comes from the API and is no concern of this crate.

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::{EmbeddedFile, RustEmbed};

/// What `npm run build` leaves. A binary that was built before it has none.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// Scripts and styles from here only, nothing inline, no frames, no forms: what a page may do is
/// to ask the API it came from.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Names of assets carry a hash of what is in them: they never change.
const FOREVER: &str = "public, max-age=31536000, immutable";

/// What is said where the dashboard has not been built.
const UNBUILT: &str = "<!doctype html><html lang=\"en\"><title>Muster</title>\
    <h1>The dashboard is not built</h1>\
    <p>Run <code>cargo xtask web</code> in the repository and reload this page; \
    for a release binary, build it again after that.</p>\
    <p>The API answers all the same, and so does the command line: <code>muster status</code>.</p>";

/// The addresses of the dashboard, for any state of the server around it.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/", get(index))
        .route("/icon.svg", get(async |headers: HeaderMap| file("icon.svg", &headers, "no-cache")))
        .route("/theme.js", get(async |headers: HeaderMap| file("theme.js", &headers, "no-cache")))
        .route("/assets/{name}", get(asset))
}

/// Whether the dashboard's files are there.
pub fn is_built() -> bool {
    Dist::get("index.html").is_some()
}

async fn index(headers: HeaderMap) -> Response {
    if !is_built() {
        return guarded((StatusCode::OK, [content_type("index.html")], UNBUILT).into_response());
    }
    file("index.html", &headers, "no-cache")
}

async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    file(&format!("assets/{name}"), &headers, FOREVER)
}

/// One file, packed where the reader takes it so, or word that it has not changed.
fn file(path: &str, asked: &HeaderMap, cache: &'static str) -> Response {
    let packed = takes_gzip(asked).then(|| Dist::get(&format!("{path}.gz"))).flatten();
    let is_packed = packed.is_some();
    let Some(found) = packed.or_else(|| Dist::get(path)) else {
        return guarded(StatusCode::NOT_FOUND.into_response());
    };
    let tag = tag(&found);
    let known = asked.get(header::IF_NONE_MATCH).is_some_and(|known| *known == tag);
    let mut response = match known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => ([content_type(path)], found.data.into_owned()).into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, tag);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_packed && !known {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    guarded(response)
}

/// With the headers that every answer of the dashboard has.
fn guarded(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn takes_gzip(asked: &HeaderMap) -> bool {
    let accepted = asked.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|text| text.split(',').any(|word| word.trim().starts_with("gzip")))
}

/// A word that changes with the content.
fn tag(file: &EmbeddedFile) -> HeaderValue {
    let hash = file.metadata.sha256_hash();
    let text: String = hash[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::from_str(&format!("\"{text}\"")).expect("hexadecimal digits may be in a header")
}

fn content_type(path: &str) -> (header::HeaderName, &'static str) {
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    };
    (header::CONTENT_TYPE, kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).expect("plain text"))])
    }

    #[tokio::test]
    async fn every_answer_forbids_what_comes_from_elsewhere() {
        let missing = file("assets/missing.js", &HeaderMap::new(), FOREVER);
        assert_eq!(missing.status(), StatusCode::NOT_FOUND);
        for response in [missing, index(HeaderMap::new()).await] {
            let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str();
            let policy = policy.expect("it is text");
            assert!(policy.starts_with("default-src 'none'"), "{policy}");
            assert!(!policy.contains("unsafe"), "{policy}");
            assert_eq!(response.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        }
    }

    #[tokio::test]
    async fn the_first_page_is_there_built_or_not() {
        let response = index(HeaderMap::new()).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
        if !is_built() {
            return;
        }
        let tag = response.headers()[header::ETAG].to_str().expect("it is text").to_owned();
        let again = index(headers(header::IF_NONE_MATCH, &tag)).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        let packed = index(headers(header::ACCEPT_ENCODING, "br, gzip;q=1.0")).await;
        assert_eq!(packed.headers()[header::CONTENT_ENCODING], "gzip");
    }

    #[tokio::test]
    async fn nothing_outside_the_folder_can_be_asked_for() {
        let response = asset(Path("../../Cargo.toml".to_owned()), HeaderMap::new()).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND);
    }
}
