//! The JSON schema of job files, from the types that read them.

use serde_json::{Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::JobFile;

/// Where the schemas of parts stand in the document utoipa has in mind, and where in ours.
const THERE: &str = "#/components/schemas/";
const HERE: &str = "#/$defs/";

/// The JSON schema of job files, for editors and checks.
pub fn schema() -> Value {
    let mut parts = Vec::new();
    JobFile::schemas(&mut parts);
    let mut schema = written(&JobFile::schema());
    let mut definitions = serde_json::Map::new();
    for (name, part) in &parts {
        definitions.insert(name.clone(), written(part));
    }
    let fields = schema.as_object_mut().expect("the schema of a struct is an object");
    fields.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    fields.insert("title".to_owned(), json!("Muster job file"));
    fields.insert("description".to_owned(), json!("A job as people write it."));
    fields.insert("$defs".to_owned(), Value::Object(definitions));
    point_here(&mut schema);
    schema
}

fn written(schema: &impl serde::Serialize) -> Value {
    serde_json::to_value(schema).expect("schemas are plain data")
}

/// Lets references point into our document.
fn point_here(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get_mut("$ref") {
                *reference = reference.replace(THERE, HERE);
            }
            fields.values_mut().for_each(point_here);
        }
        Value::Array(items) => items.iter_mut().for_each(point_here),
        _ => {}
    }
}
