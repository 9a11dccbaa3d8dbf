//! Reads what a cluster is configured with: levels, models, classes.

use muster_model::{Class, GpuModel};

use super::value;
use crate::story::act::Setup;
use crate::story::words::{Parsed, Words};

/// `levels zone rack`, widest first.
pub(super) fn levels(words: &mut Words) -> Parsed<Setup> {
    let mut levels = vec![value::name(words, "a level's name")?];
    while !words.is_done() {
        levels.push(value::name(words, "a level's name")?);
    }
    Ok(Setup::Levels(levels))
}

/// `model B300 288GiB`.
pub(super) fn model(words: &mut Words) -> Parsed<Setup> {
    let name = value::name(words, "a GPU model's name")?;
    let memory = value::parsed(&words.plain("its memory, such as `80GiB`")?)?;
    Ok(Setup::Model(GpuModel { name, memory, mig: Vec::new() }))
}

/// `class nightly value 50, borrows only, limit 8h`.
pub(super) fn class(words: &mut Words) -> Parsed<Setup> {
    let name = value::name(words, "a class's name")?;
    words.expect("value")?;
    let value = value::number(words, "the value of the class")?;
    let mut class = Class { name, value, guaranteed: true, filler: false, limit_default: None };
    while words.next_clause()? {
        if words.take("limit") {
            class.limit_default = Some(value::span(words)?);
        } else if words.take("filler") {
            class.filler = true;
        } else {
            words.expect("borrows")?;
            words.expect("only")?;
            class.guaranteed = false;
        }
    }
    Ok(Setup::Class(class))
}
