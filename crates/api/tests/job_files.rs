//! Job files that nobody meant to write: whatever is in them, reading ends with a job or with
//! words, and the schema that editors check them by is the one of the types that read them.

use std::path::Path;

use muster_api::JobFile;
use muster_api::job_file::{Format, schema};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};

const FORMATS: [Format; 3] = [Format::Yaml, Format::Toml, Format::Json];

/// Reads a text in every notation, and takes what can be read as far as it goes.
fn read(text: &str) {
    for format in FORMATS {
        match JobFile::read(text, format) {
            Ok(file) => taken(file),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// A file becomes a job, or mistakes that can be told.
fn taken(file: JobFile) {
    if let Err(errors) = file.into_job("user-a") {
        assert!(!errors.is_empty());
        assert!(errors.iter().all(|error| !error.field.is_empty() && !error.allowed.is_empty()));
    }
}

/// The keys of job files, from the schema, so that a new one is tried without being named here.
fn keys() -> Vec<String> {
    let schema = schema();
    let properties = schema["properties"].as_object().expect("job files have keys");
    properties.keys().cloned().collect()
}

/// Texts that mean something somewhere, and some that do not.
fn words() -> impl Strategy<Value = String> {
    let known = [
        "8",
        "H100x8",
        "H100|A100x0.5",
        "0.25..0.5",
        "20GiB",
        "1g.10gb",
        "4h",
        "1-00:00:00",
        "-1",
        "USR1@2m",
        "0-9%3",
        "0-4294967295",
        "9-0:0",
        "afterok:12",
        "singleton",
        "pool=a and not b",
        "2026-01-31T08:00:00Z",
        "hard",
        "18446744073709551616",
        "1e400",
        "",
        "a/b/c",
        "../..",
        "%j-%t",
        "\u{0}",
        "🦀",
    ];
    prop_oneof![
        3 => proptest::sample::select(known.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

/// Any value that a notation can hold, a few levels deep.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        words().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let key = prop_oneof![proptest::sample::select(keys()), words()];
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(key, inner, 0..4).prop_map(|fields| json!(fields)),
        ]
    })
}

/// A job file with some keys, each with a value that may be right.
fn files() -> impl Strategy<Value = Value> {
    btree_map(proptest::sample::select(keys()), values(), 0..8).prop_map(|fields| json!(fields))
}

/// A job file as data, its fractions with twelve digits.
fn shortened(file: &JobFile) -> Value {
    fn shorten(value: &mut Value) {
        match value {
            Value::Number(number) if number.is_f64() => {
                let fraction = number.as_f64().expect("it was just asked");
                *value = Value::from(format!("{fraction:.12e}"));
            }
            Value::Array(items) => items.iter_mut().for_each(shorten),
            Value::Object(fields) => fields.values_mut().for_each(shorten),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(file).expect("it is plain data");
    shorten(&mut value);
    value
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 512,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        read(&text);
    }

    #[test]
    fn text_that_looks_like_a_job_file_is_read_or_refused(
        lines in vec((proptest::sample::select(keys()), words()), 0..8),
    ) {
        let yaml: String = lines.iter().map(|(key, word)| format!("{key}: {word}\n")).collect();
        let toml: String = lines.iter().map(|(key, word)| format!("{key} = {word}\n")).collect();
        read(&yaml);
        read(&toml);
    }

    #[test]
    fn file_of_odd_values_is_read_or_refused(file in files()) {
        read(&file.to_string());
        if let Ok(toml) = toml::to_string(&file) {
            read(&toml);
        }
    }

    #[test]
    fn file_that_was_read_can_be_written_and_read_again(file in files()) {
        if let Ok(first) = JobFile::read(&file.to_string(), Format::Json) {
            let text = serde_json::to_string(&first).expect("it is plain data");
            let second = JobFile::read(&text, Format::Json).expect("it was just written");
            // Digits beyond the twelfth of a number are nobody's wish, and JSON may lose the last.
            prop_assert_eq!(shortened(&first), shortened(&second));
        }
    }
}

#[test]
fn committed_schema_is_the_one_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/job-file.schema.json");
    let committed = std::fs::read_to_string(path).expect("the schema is committed");
    let generated = format!("{}\n", serde_json::to_string_pretty(&schema()).expect("plain data"));
    assert_eq!(committed, generated, "run `muster schema > docs/job-file.schema.json`");
}

#[test]
fn schema_refers_only_to_what_it_defines() {
    let schema = schema();
    let text = schema.to_string();
    let defined = schema["$defs"].as_object().expect("there are parts");
    let parts = text.split("\"$ref\":\"").skip(1).map(|rest| rest.split('"').next());
    for reference in parts.flatten() {
        let name = reference.strip_prefix("#/$defs/").expect("references stay in the document");
        assert!(defined.contains_key(name), "{name}");
    }
    assert_eq!(schema["additionalProperties"], json!(false));
}
