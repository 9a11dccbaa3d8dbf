//! What settings look like, from the schema of their type: which keys there are, what each takes,
//! and what it means.

use utoipa::ToSchema;
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{Object, RefOr, Schema};

/// Types refer to each other this deep at most; a type that held itself would have no end.
const DEPTH_MAX: usize = 16;

/// What may stand somewhere.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// These keys and no others.
    Table(Table),
    /// Any keys, each with one of these.
    Map(Box<Shape>),
    /// A list of these.
    List(Box<Shape>),
    /// One of these words.
    Choice(Vec<String>),
    /// A span of time.
    Duration,
    /// An amount of memory.
    Memory,
    /// A number of GPUs, down to thousandths.
    Gpus,
    /// A number of CPUs, down to thousandths.
    Cpus,
    /// A whole number.
    Whole,
    /// Text.
    Text,
    /// An address to listen on.
    Address,
    /// True or false.
    Switch,
    /// Something that only its reader can judge.
    Other,
}

/// Settings that stand together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    /// What they are about.
    pub(super) meaning: String,
    /// The settings, in the order of the type.
    pub(super) settings: Vec<Setting>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    pub(super) key: String,
    pub(super) meaning: String,
    pub(super) shape: Shape,
    /// Whether it has to be there.
    pub(super) is_required: bool,
    /// Whether it may be nothing at all.
    pub(super) is_option: bool,
    /// What it is where it is not there, if the type says so.
    pub(super) default: Option<serde_json::Value>,
}

impl Shape {
    /// The shape of a type's settings.
    pub(super) fn of<T: ToSchema>() -> Shape {
        let mut parts = Vec::new();
        T::schemas(&mut parts);
        Reader { parts: &parts }.read(&T::schema(), 0)
    }
}

/// Reads schemas, which refer to the parts by name.
struct Reader<'a> {
    parts: &'a [(String, RefOr<Schema>)],
}

impl Reader<'_> {
    fn read(&self, schema: &RefOr<Schema>, depth: usize) -> Shape {
        assert!(depth <= DEPTH_MAX, "settings do not hold themselves");
        match schema {
            RefOr::Ref(reference) => {
                let name = reference.ref_location.rsplit('/').next().unwrap_or_default();
                self.named(name, depth)
            }
            RefOr::T(Schema::Array(array)) => match &array.items {
                ArrayItems::RefOrSchema(items) => {
                    Shape::List(Box::new(self.read(items, depth + 1)))
                }
                ArrayItems::False => Shape::Other,
            },
            RefOr::T(Schema::Object(object)) => self.object(object, depth),
            // An option: the one that is not nothing.
            RefOr::T(Schema::OneOf(one)) => {
                let mut some = one.items.iter().filter(|item| !is_null(item));
                match (some.next(), some.next()) {
                    (Some(only), None) => self.read(only, depth + 1),
                    _ => Shape::Other,
                }
            }
            RefOr::T(_) => Shape::Other,
        }
    }

    fn named(&self, name: &str, depth: usize) -> Shape {
        match name {
            "Millis" => return Shape::Duration,
            "Mib" => return Shape::Memory,
            "MilliGpu" => return Shape::Gpus,
            "MilliCpu" => return Shape::Cpus,
            _ => {}
        }
        let found = self.parts.iter().find(|(known, _)| known == name);
        let (_, part) = found.expect("a schema brings the parts that it refers to");
        self.read(part, depth + 1)
    }

    fn object(&self, object: &Object, depth: usize) -> Shape {
        if let Some(words) = &object.enum_values {
            let words = words.iter().filter_map(|word| word.as_str().map(str::to_owned));
            return Shape::Choice(words.collect());
        }
        match kind(&object.schema_type) {
            Some(Type::Object) => {}
            Some(Type::Integer) => return Shape::Whole,
            Some(Type::String) if is_address(object) => return Shape::Address,
            Some(Type::String) => return Shape::Text,
            Some(Type::Boolean) => return Shape::Switch,
            _ => return Shape::Other,
        }
        if let Some(AdditionalProperties::RefOr(values)) = object.additional_properties.as_deref() {
            return Shape::Map(Box::new(self.read(values, depth + 1)));
        }
        let setting = |(key, schema): (&String, &RefOr<Schema>)| Setting {
            key: key.clone(),
            meaning: meaning(schema),
            shape: self.read(schema, depth + 1),
            is_required: object.required.contains(key),
            is_option: is_option(schema),
            default: default(schema).filter(|value| !value.is_null()).cloned(),
        };
        Shape::Table(Table {
            meaning: object.description.clone().unwrap_or_default(),
            settings: object.properties.iter().map(setting).collect(),
        })
    }
}

/// The type, where it is one or one that may be left out.
fn kind(of: &SchemaType) -> Option<Type> {
    match of {
        SchemaType::Type(one) => Some(one.clone()),
        SchemaType::Array(several) => {
            several.iter().find(|one| !matches!(one, Type::Null)).cloned()
        }
        SchemaType::AnyValue => None,
    }
}

fn is_null(schema: &RefOr<Schema>) -> bool {
    let RefOr::T(Schema::Object(object)) = schema else { return false };
    matches!(object.schema_type, SchemaType::Type(Type::Null))
}

/// Whether the field says that it is an address, by `format = "address"`.
fn is_address(object: &Object) -> bool {
    matches!(&object.format, Some(SchemaFormat::Custom(format)) if format == "address")
}

fn is_option(schema: &RefOr<Schema>) -> bool {
    match schema {
        RefOr::T(Schema::OneOf(one)) => one.items.iter().any(is_null),
        RefOr::T(Schema::Object(object)) => {
            let SchemaType::Array(several) = &object.schema_type else { return false };
            several.contains(&Type::Null)
        }
        _ => false,
    }
}

/// What is said about a field where it stands.
fn meaning(schema: &RefOr<Schema>) -> String {
    match schema {
        RefOr::Ref(reference) => reference.description.clone(),
        RefOr::T(Schema::Object(object)) => object.description.clone().unwrap_or_default(),
        RefOr::T(Schema::Array(array)) => array.description.clone().unwrap_or_default(),
        RefOr::T(Schema::OneOf(one)) => {
            one.items.iter().filter(|item| !is_null(item)).map(meaning).collect()
        }
        RefOr::T(_) => String::new(),
    }
}

fn default(schema: &RefOr<Schema>) -> Option<&serde_json::Value> {
    match schema {
        RefOr::Ref(reference) => reference.default.as_ref(),
        RefOr::T(Schema::Object(object)) => object.default.as_ref(),
        RefOr::T(Schema::Array(array)) => array.default.as_ref(),
        RefOr::T(Schema::OneOf(one)) => one.default.as_ref(),
        RefOr::T(_) => None,
    }
}
