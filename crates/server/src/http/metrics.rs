//! Figures for a monitoring system, and the count of requests among them.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, FromRequestParts, MatchedPath, Request};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Shared;
use super::answer::{Answered, Problems, broken};
use crate::access::{Caller, Verb};
use crate::metrics::{self, OpenTo};

/// What the text is.
const FORMAT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Headers by which a proxy says that someone else is behind it.
const FORWARDED: [&str; 4] = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "metrics_show",
    tag = "health",
    summary = "Figures in the format of OpenMetrics",
    description = "Programs on the same machine need no token, unless `[metrics]` says otherwise.",
    responses(
        (status = 200, description = "All figures", body = String,
         content_type = "application/openmetrics-text"),
        Problems
    )
)]
pub(crate) async fn show(app: Shared, request: Request) -> Answered<Response> {
    let (mut parts, _) = request.into_parts();
    let from = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    let from = from.map(|ConnectInfo(address)| *address);
    if !needs_no_token(app.metrics.open_to, from, &parts.headers) {
        let caller = Caller::from_request_parts(&mut parts, &app).await?;
        caller.must(Verb::Look, None, None)?;
    }
    let text = metrics::exposition(&app).await.map_err(broken)?;
    Ok(([(header::CONTENT_TYPE, FORMAT)], text).into_response())
}

fn needs_no_token(open_to: OpenTo, from: Option<SocketAddr>, headers: &HeaderMap) -> bool {
    match open_to {
        OpenTo::Everyone => true,
        OpenTo::Nobody => false,
        OpenTo::ThisMachine => {
            let is_forwarded = FORWARDED.iter().any(|name| headers.contains_key(*name));
            from.is_some_and(|address| address.ip().to_canonical().is_loopback()) && !is_forwarded
        }
    }
}

/// Counts a request once it is answered.
pub(crate) async fn count(app: Shared, request: Request, next: Next) -> Response {
    let matched = request.extensions().get::<MatchedPath>();
    let route = matched.map_or("other".to_owned(), |matched| matched.as_str().to_owned());
    let method = method(request.method());
    let response = next.run(request).await;
    let status = class(response.status());
    app.driver.shared().meters().answered(&metrics::Request { route, method, status });
    response
}

fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

fn class(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_reads_without_a_token_unless_it_is_said_otherwise() {
        let here: Option<SocketAddr> = "127.0.0.1:9".parse().ok();
        let mapped: Option<SocketAddr> = "[::ffff:127.0.0.1]:9".parse().ok();
        let far: Option<SocketAddr> = "192.0.2.7:9".parse().ok();
        let (plain, mut proxied) = (HeaderMap::new(), HeaderMap::new());
        proxied.insert("x-forwarded-for", "192.0.2.7".parse().unwrap());
        for (open_to, from, headers, expected) in [
            (OpenTo::ThisMachine, here, &plain, true),
            (OpenTo::ThisMachine, mapped, &plain, true),
            (OpenTo::ThisMachine, far, &plain, false),
            (OpenTo::ThisMachine, None, &plain, false),
            (OpenTo::ThisMachine, here, &proxied, false),
            (OpenTo::Everyone, far, &proxied, true),
            (OpenTo::Nobody, here, &plain, false),
        ] {
            let told = needs_no_token(open_to, from, headers);
            assert_eq!(told, expected, "{open_to:?} {from:?} {headers:?}");
        }
    }
}
