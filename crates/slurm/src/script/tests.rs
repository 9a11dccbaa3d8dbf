//! Scripts as people write them, right and wrong. The answers are those of Slurm 22.05, asked with
//! `sbatch -vv --test-only`.

use super::{Because, Script};

/// The options of a script with these lines behind its first, as they would be written.
fn options(lines: &str) -> Vec<String> {
    let script = Script::read(format!("#!/bin/bash\n{lines}\n").as_bytes()).expect("a good script");
    let written = |setting: &crate::options::Setting| match &setting.value {
        Some(value) => format!("{}={value}", setting.row.name),
        None => setting.row.name.to_owned(),
    };
    script.settings.iter().map(written).collect()
}

fn refusals(script: &[u8]) -> Vec<String> {
    let refused = Script::read(script).expect_err("a bad script");
    refused.iter().map(ToString::to_string).collect()
}

#[test]
fn directives_are_split_by_the_rules_of_slurm() {
    for (line, expected) in [
        ("#SBATCH --job-name=a # why", &["job-name=a"][..]),
        ("#SBATCH --mem=10G#z", &["mem=10G"]),
        ("#SBATCH -o \"a b#c.out\" -N 2", &["output=a b#c.out", "nodes=2"]),
        ("#SBATCH --comment='x # y'", &["comment=x # y"]),
        ("#SBATCH --comment=x\"a b\"y -n 2", &["comment=xa by", "ntasks=2"]),
        ("#SBATCH --comment=\"a\\\"b\" -n 2", &["comment=a\"b", "ntasks=2"]),
        ("#SBATCH --comment='a\"b'", &["comment=a\"b"]),
        ("#SBATCH --comment=a\\#b", &["comment=a#b"]),
        ("#SBATCH --comment=\"\" -n 2", &["comment=", "ntasks=2"]),
        ("#SBATCH --comment=$HOME", &["comment=$HOME"]),
        ("#SBATCH\t-n\t2", &["ntasks=2"]),
        ("#SBATCH-n 2", &["ntasks=2"]),
        ("#SBATCH -n2#", &["ntasks=2"]),
        ("#SBATCH -n\n#SBATCH 2", &["ntasks=2"]),
        ("#SBATCH -n \\\n#SBATCH 2", &["ntasks=2"]),
        ("#SBATCH --constrain=x --err=e", &["constraint=x", "error=e"]),
        ("#SBATCH", &[]),
        ("#SBATCH # nothing", &[]),
    ] {
        assert_eq!(options(line), expected, "{line}");
    }
}

#[test]
fn directives_end_at_the_first_command() {
    assert_eq!(options("\n   \n\t# x\n##SBATCH -n 9\n#SBATCH -n 2\n:\n#SBATCH -n 3"), ["ntasks=2"]);
    assert_eq!(options("FOO=1 \\\n#SBATCH -n 2"), [""; 0]);
}

#[test]
fn lines_without_effect_are_reported() {
    let script = b"#!/bin/bash\n #SBATCH -t 1\n#sbatch -t 2\n#PBS -l nodes=2\n##SBATCH -t 3\n\
                   set -e\n#SBATCH -n 3\n#PBS -q x\n";
    let script = Script::read(script).expect("a good script");
    let ignored: Vec<_> = script.ignored.iter().map(|line| (line.line, line.because)).collect();
    assert_eq!(
        ignored,
        [(2, Because::Indented), (3, Because::LowerCase), (7, Because::AfterCommand)]
    );
    assert_eq!(script.foreign.len(), 1);
    assert_eq!(script.foreign[0].text, "#PBS -l nodes=2");
}

#[test]
fn every_mistake_is_told_with_its_line() {
    let script = b"#!/bin/sh\n#SBATCH --comment=a\\ b -n 2\n#SBATCH --foo=1 bar\n\
                   #SBATCHX\n#SBATCH -- -n 2\n#SBATCH --comment=\"a\n#SBATCH hetjob\n#SBATCH -N\n";
    assert_eq!(
        refusals(script),
        [
            "line 6: a quotation with \" does not end",
            "line 2: `b` is no option and no value of one\nhint: quote values with spaces",
            "line 3: sbatch has no option --foo",
            "line 4: `X` is no option and no value of one\nhint: quote values with spaces",
            "line 5: `-n` is no option and no value of one\nhint: quote values with spaces",
            "line 7: hetjob is not supported\nhint: submit the parts as jobs with --dependency, \
             or as a job file with groups",
            "line 8: -N needs a value",
        ]
    );
}

#[test]
fn what_is_no_script_is_refused_with_what_to_do() {
    for (bytes, beginning) in [
        (&b""[..], "line 1: the script is empty"),
        (b"#SBATCH -n 2\n", "line 1: the first line names no interpreter"),
        (b"\n#!/bin/bash\n", "line 1: the first line names no interpreter"),
        (b"\x7fELF\0\0", "line 1: the first line names no interpreter"),
        (b"\xef\xbb\xbf#!/bin/bash\n", "line 1: the script begins with a byte order mark"),
        (b"#!/bin/bash\r\n#SBATCH -n 2\r\n", "line 1: the script has line ends of DOS"),
        (b"#!/bin/bash\necho \0\n", "line 1: the script contains a zero byte"),
    ] {
        let refused = refusals(bytes);
        assert!(refused[0].starts_with(beginning), "{refused:?}");
        assert!(refused[0].contains("\nhint: "), "{refused:?}");
    }
}

#[test]
fn other_bytes_than_utf_8_are_left_to_the_interpreter() {
    let script = Script::read(b"#!/bin/sh\n#SBATCH -J caf\xe9\n").expect("a good script");
    assert_eq!(script.settings.len(), 1);
}
