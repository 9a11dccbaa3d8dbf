//! Problems as responses: always `application/problem+json`, always with what to do.

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use muster_api::{Page, Problem};
use muster_model::Invalid;
use utoipa::IntoResponses;

use crate::control::Answer;
use crate::driver::DriverError;

/// Seconds after which who was turned away may try again.
const RETRY_AFTER: &str = "1";

/// Items on a page, unless asked for fewer or more; and the most.
const PAGE: usize = 100;
pub(crate) const PAGE_MAX: usize = 1000;

/// Why a request was not carried out.
#[derive(Clone, Debug)]
pub(crate) struct Refused(pub(crate) Problem);

/// What a handler answers.
pub(crate) type Answered<T> = Result<T, Refused>;

/// A body of JSON; what cannot be read is told as a problem.
#[derive(Debug, FromRequest)]
#[from_request(via(axum::Json), rejection(Refused))]
pub(crate) struct Json<T>(pub(crate) T);

/// The query of an address.
#[derive(Debug, FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Refused))]
pub(crate) struct Query<T>(pub(crate) T);

/// What stands in the address itself.
#[derive(Debug, FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Refused))]
pub(crate) struct Path<T>(pub(crate) T);

/// What any request may be answered with instead, for the description of the API.
#[derive(Debug, IntoResponses)]
#[response(
    status = "4XX",
    description = "It was not carried out",
    content_type = "application/problem+json"
)]
pub(crate) struct Problems(#[expect(dead_code, reason = "only its type is told")] Problem);

impl<T: serde::Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Refused {
        Refused(problem)
    }
}

impl From<JsonRejection> for Refused {
    fn from(rejection: JsonRejection) -> Refused {
        let status = rejection.status().as_u16();
        let title = if status == 413 { "too large" } else { "not understood" };
        Refused(Problem::new(status, title, rejection.body_text()))
    }
}

impl From<QueryRejection> for Refused {
    fn from(rejection: QueryRejection) -> Refused {
        Refused(Problem::new(400, "not understood", rejection.body_text()))
    }
}

impl From<PathRejection> for Refused {
    fn from(rejection: PathRejection) -> Refused {
        Refused(Problem::new(400, "not understood", rejection.body_text()))
    }
}

impl From<DriverError> for Refused {
    fn from(error: DriverError) -> Refused {
        let problem = Problem::new(503, "not now", error.to_string());
        Refused(problem.hint("try again in a moment; nothing was taken in"))
    }
}

impl From<Vec<Invalid>> for Refused {
    fn from(errors: Vec<Invalid>) -> Refused {
        Refused(Problem::invalid(errors))
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, axum::Json(&self.0)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if matches!(self.0.status, 429 | 503) {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY_AFTER));
        }
        response
    }
}

/// How many items go on a page, unless asked for fewer or more.
pub(crate) fn page_size(asked: Option<usize>) -> usize {
    asked.unwrap_or(PAGE).clamp(1, PAGE_MAX)
}

/// A page of at most so many items: one that is full may not be the last.
pub(crate) fn page<T>(items: Vec<T>, most: usize, cursor: impl Fn(&T) -> u64) -> Json<Page<T>> {
    let last = items.last().filter(|_| items.len() == most);
    let next = last.map(|item| cursor(item).to_string());
    Json(Page { items, next })
}

/// The empty answer to what was done.
pub(crate) fn done() -> Json<serde_json::Value> {
    Json(serde_json::json!({}))
}

/// An answer that must not be a rejection.
pub(crate) fn accepted(answer: Answer) -> Answered<Answer> {
    match answer {
        Answer::Rejected(errors) => Err(errors.into()),
        other => Ok(other),
    }
}

/// Nothing is there by this name.
pub(crate) fn unknown(what: &str, name: impl std::fmt::Display) -> Refused {
    Refused(Problem::new(404, "unknown", format!("there is no {what} {name}")))
}

/// The store failed.
pub(crate) fn broken(error: impl std::fmt::Display) -> Refused {
    Refused(Problem::new(500, "the store failed", error.to_string()))
}

/// No such address.
pub(crate) async fn nothing_here(uri: axum::http::Uri) -> Refused {
    let detail = format!("nothing answers at {}", uri.path());
    Refused(Problem::new(404, "unknown", detail).hint("the API begins at /v1"))
}
