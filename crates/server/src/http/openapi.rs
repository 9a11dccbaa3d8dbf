//! The description of the API in OpenAPI 3.1, made from the routes themselves.

use axum::Json;
use muster_api::Problem;
use serde_json::Value;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Components, Info, License, OpenApi, OpenApiBuilder};
use utoipa::{PartialSchema, ToSchema};

/// The name of the way in.
const TOKEN: &str = "token";

/// What stands above the routes.
pub(super) fn head() -> OpenApi {
    let mut info = Info::new("Muster", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "The control plane of a Muster cluster. Errors are problems (RFC 9457) that say what to \
         do; long lists come in pages; submissions can be repeated safely with an idempotency key."
            .to_owned(),
    );
    info.license = Some(License::new("Apache-2.0"));
    let mut components = Components::new();
    // What goes wrong is answered by all, so no route brings its description along.
    let mut parts = vec![(Problem::name().into_owned(), Problem::schema())];
    Problem::schemas(&mut parts);
    components.schemas.extend(parts);
    let bearer = Http::new(HttpAuthScheme::Bearer);
    components.add_security_scheme(TOKEN, SecurityScheme::Http(bearer));
    OpenApiBuilder::new()
        .info(info)
        .components(Some(components))
        .security(Some([SecurityRequirement::new::<_, [&str; 0], &str>(TOKEN, [])]))
        .build()
}

/// The whole description.
pub fn openapi() -> Value {
    let (_, document) = super::described().split_for_parts();
    let mut document = serde_json::to_value(document).expect("descriptions are plain data");
    // The router takes the rest of an address by a star, which the description has no word for.
    if let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut)
        && let Some(queue) = paths.remove("/v1/queues/{*name}")
    {
        paths.insert("/v1/queues/{name}".to_owned(), queue);
    }
    document
}

pub(super) async fn show() -> Json<Value> {
    Json(openapi())
}
