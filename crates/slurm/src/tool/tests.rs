//! How the words of each tool are taken apart.

use super::{SACCT, SCANCEL, SINFO, SQUEUE, TOOLS};

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn no_tool_has_a_name_or_a_letter_twice() {
    for tool in TOOLS {
        for (index, option) in tool.options.iter().enumerate() {
            let others = &tool.options[..index];
            assert!(!option.name.is_empty(), "{} has an option without a name", tool.name);
            let is_twice = others.iter().any(|other| {
                other.name == option.name || (other.letter == option.letter && other.letter != ' ')
            });
            assert!(!is_twice, "{} has {option:?} twice", tool.name);
        }
    }
}

#[test]
fn options_stand_anywhere_and_lists_grow() {
    let given = SCANCEL.read(words("12 -s USR1 13_[1-2] --name=a")).expect("good words");
    assert_eq!(given.rest, ["12", "13_[1-2]"]);
    assert_eq!((given.value("signal"), given.value("name")), (Some("USR1"), Some("a")));
    let given = SACCT.read(words("-j 1,2 -nPj3 -X")).expect("good words");
    assert_eq!(given.list("jobs"), Some(vec!["1".to_owned(), "2".to_owned(), "3".to_owned()]));
    assert!(given.has("noheader") && given.has("parsable2") && given.has("allocations"));
    let given = SQUEUE.read(words("-j 12 -h -s --jobs 13,14")).expect("good words");
    assert_eq!(given.list("jobs").map(|jobs| jobs.len()), Some(3));
    assert!(given.has("steps") && given.value("steps").is_none());
    let given = SINFO.read(words("-- -N")).expect("good words");
    assert_eq!((given.rest, given.options), (vec!["-N".to_owned()], Vec::new()));
}

#[test]
fn mistakes_are_told_as_getopt_tells_them() {
    let cases = [
        "squeue: unrecognized option '--statx'",
        "squeue: option '--sta=1' is ambiguous; possibilities: '--start' '--states'",
        "squeue: option '--user' requires an argument",
        "squeue: option requires an argument -- 'u'",
        "squeue: invalid option -- 'Z'",
        "squeue: option '--long' doesn't allow an argument",
        "squeue: option '--clusters' is not supported by Muster",
    ];
    let given = ["--statx", "--sta=1", "--user", "-u", "-hZ", "--long=1", "-M x"];
    for (expected, given) in cases.into_iter().zip(given) {
        let refused = SQUEUE.read(words(given)).expect_err(given);
        assert_eq!(refused.lines().next(), Some(expected));
    }
}

#[test]
fn help_names_every_option_that_does_something() {
    for tool in TOOLS {
        let help = tool.help();
        let lines = help.lines().filter(|line| line.starts_with("  ")).count();
        let count = tool.options.iter().filter(|it| it.does == super::Does::All).count();
        assert_eq!(lines, count, "{help}");
        assert!(help.lines().all(|line| line.len() <= 100), "{help}");
    }
}
