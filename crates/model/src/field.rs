//! The path of a field (`groups[0].task.gpus`), kept on the stack and written only for an error:
//! a good job is validated without building a single string.

use std::fmt;

/// A field, known by its parent and its place in it.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    parent: Option<&'a Field<'a>>,
    place: Place<'a>,
}

#[derive(Clone, Copy)]
enum Place<'a> {
    Whole,
    Named(&'a str),
    At(usize),
}

impl<'a> Field<'a> {
    /// The whole value that is validated.
    pub(crate) const WHOLE: Field<'static> = Field { parent: None, place: Place::Whole };

    /// A field of this one.
    pub(crate) fn field(&'a self, name: &'a str) -> Field<'a> {
        Field { parent: Some(self), place: Place::Named(name) }
    }

    /// An element of this list.
    pub(crate) fn at(&'a self, index: usize) -> Field<'a> {
        Field { parent: Some(self), place: Place::At(index) }
    }
}

impl fmt::Display for Field<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(parent) = self.parent else { return Ok(()) };
        parent.fmt(formatter)?;
        match self.place {
            Place::Whole => Ok(()),
            Place::At(index) => write!(formatter, "[{index}]"),
            Place::Named(name) if parent.parent.is_none() => formatter.write_str(name),
            Place::Named(name) => write!(formatter, ".{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Field;

    #[test]
    fn a_path_reads_as_people_write_it() {
        let groups = Field::WHOLE.field("groups");
        let group = groups.at(2);
        let task = group.field("task");
        assert_eq!(task.field("gpus").to_string(), "groups[2].task.gpus");
        assert_eq!(Field::WHOLE.to_string(), "");
    }
}
