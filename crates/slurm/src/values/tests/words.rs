//! Options whose values are words.

use proptest::prelude::*;

use super::{refused, written};
use crate::values::{
    Base, Binding, BindingKind, Distribution, Exclusive, Export, Hint, MailTypes, OpenMode,
};

#[test]
fn words_are_read_in_any_case_and_by_their_letters() {
    written::<OpenMode>(&[("append", "append"), ("A", "append"), ("t", "truncate")]);
    written::<Hint>(&[("nomultithread", "nomultithread"), ("Compute_Bound", "compute_bound")]);
    written::<Exclusive>(&[("user", "user"), ("MCS", "mcs")]);
    refused::<OpenMode>("expected append or truncate", &["", "x", "appen"]);
    refused::<Hint>("expected compute_bound", &["", "foo"]);
    refused::<Exclusive>("expected no value, user", &["foo"]);
    assert!(Hint::ALL.iter().all(|hint| hint.word().parse() == Ok(*hint)));
}

#[test]
fn mail_is_sent_about_some_events() {
    written::<MailTypes>(&[
        ("ALL", "BEGIN,END,FAIL,REQUEUE,INVALID_DEPEND,STAGE_OUT"),
        ("end,FAIL,TIME_LIMIT_80", "END,FAIL,TIME_LIMIT_80"),
        ("NONE", "NONE"),
        ("END,END", "END"),
    ]);
    refused::<MailTypes>("expected NONE, ALL", &["", "foo", "END,,FAIL"]);
}

#[test]
fn the_environment_travels_as_asked() {
    written::<Export>(&[
        ("ALL", "ALL"),
        ("all,A=b", "ALL,A=b"),
        ("NONE", "NONE"),
        ("NIL", "NIL"),
        ("A,B=c", "A,B=c"),
        ("A='x,y',B", "A=\"x,y\",B"),
        ("A=", "A="),
    ]);
    let export: Export = "A,B=c".parse().expect("good");
    assert_eq!(export.base, Base::Named);
    assert_eq!(export.variables[1], ("B".to_owned(), Some("c".to_owned())));
    refused::<Export>("expected ALL, NONE or NIL", &["", "A,,B", "=x", "A='x", "a b=c"]);
}

#[test]
fn tasks_are_dealt_out_as_asked() {
    written::<Distribution>(&[
        ("block:cyclic", "block:cyclic"),
        ("plane=4", "plane=4"),
        ("block,Pack", "block,Pack"),
        ("*:block:fcyclic,nopack", "*:block:fcyclic,NoPack"),
        ("arbitrary", "arbitrary"),
    ]);
    refused::<Distribution>(
        "expected block, cyclic",
        &["", "foo", "plane", "plane=0", "block:foo", "block:block:block:block", "block,x"],
    );
}

#[test]
fn tasks_are_tied_down_by_words_of_each_kind() {
    for (kind, text, expected) in [
        (BindingKind::Cpu, "cores", "cores"),
        (BindingKind::Cpu, "verbose,map_cpu:0,4", "verbose,map_cpu:0,4"),
        (BindingKind::Cpu, "q,mask_cpu:0x3,0xc", "quiet,mask_cpu:0x3,0xc"),
        (BindingKind::Cpu, "verbose", "verbose"),
        (BindingKind::Memory, "local", "local"),
        (BindingKind::Gpu, "closest", "closest"),
        (BindingKind::Gpu, "verbose,single:2", "verbose,single:2"),
        (BindingKind::Gpu, "none", "none"),
    ] {
        let binding = Binding::read(kind, text).expect(text);
        assert_eq!(binding.to_string(), expected);
        assert_eq!(Binding::read(kind, expected), Ok(binding));
    }
    for (kind, text) in [
        (BindingKind::Cpu, ""),
        (BindingKind::Cpu, "closest"),
        (BindingKind::Cpu, "map_cpu"),
        (BindingKind::Cpu, "cores:1"),
        (BindingKind::Gpu, "single"),
        (BindingKind::Gpu, "single:?"),
        (BindingKind::Memory, "cores"),
    ] {
        let refused = Binding::read(kind, text).expect_err(text).to_string();
        assert!(refused.contains("expected one of none"), "{refused}");
    }
}

proptest! {
    #[test]
    fn variables_with_any_value_are_read_as_they_are_written(
        values in prop::collection::vec("[a-z,'\" =]{0,8}", 1..4)
    ) {
        let named = values.into_iter().map(|value| ("A".to_owned(), Some(value)));
        let export = Export { base: Base::All, variables: named.collect() };
        prop_assert_eq!(export.to_string().parse::<Export>(), Ok(export));
    }
}
