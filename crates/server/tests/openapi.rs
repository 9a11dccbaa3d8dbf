//! The description of the API holds together, and the server does what it says.

use std::collections::BTreeSet;

use serde_json::Value;

/// All references in a document.
fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                found.insert(reference.clone());
            }
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document = muster_server::openapi();
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    assert!(found.len() > 40, "{found:?}");
    for reference in found {
        let pointer = reference.strip_prefix('#').expect("all are in the document itself");
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
}

#[test]
fn every_operation_says_what_it_does_and_what_can_go_wrong() {
    let document = muster_server::openapi();
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().expect("there are paths");
    let operations = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().expect("a path has methods");
        methods.iter().map(move |(method, operation)| (format!("{method} {path}"), operation))
    });
    let mut names = BTreeSet::new();
    for (name, operation) in operations {
        let summary = operation["summary"].as_str().unwrap_or_default();
        assert!(!summary.is_empty(), "{name} has no summary");
        assert!(names.insert(operation["operationId"].to_string()), "{name} shares its id");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert!(parameter["description"].is_string(), "{name}: {parameter}");
        }
        let has_problems = operation["responses"].get("4XX").is_some();
        assert!(has_problems || name == "get /healthz", "{name} does not tell of problems");
    }
    assert!(names.len() >= 25, "{names:?}");
}
