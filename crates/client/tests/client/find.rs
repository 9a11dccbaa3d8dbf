//! Which server is asked, and with which token.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use muster_client::{Credentials, Error, Known, Options, Secret, Target};

/// An empty home for one test.
fn home(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("find").join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the folder for tests can be written");
    path
}

/// What the options lead to with these variables set, besides HOME.
fn target(said: Options, home: &Path, variables: &[(&str, &str)]) -> Result<Target, Error> {
    let variable = |name: &str| match name {
        "HOME" => home.to_str().map(str::to_owned),
        _ => variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string()),
    };
    said.or_environment(variable).target()
}

fn endpoint(data: &Path, port: u16) {
    fs::create_dir_all(data).expect("the folder for tests can be written");
    let text = format!(r#"{{"url":"http://127.0.0.1:{port}","pid":77,"token":"local"}}"#);
    fs::write(data.join("endpoint.json"), text).expect("the folder for tests can be written");
}

fn sign_in(home: &Path, url: &str) {
    let path = home.join(".config/muster/credentials.toml");
    let mut credentials = Credentials::read(&path).expect("it can be read");
    let token = Secret::new(&format!("token of {url}"));
    credentials.remember(Known { url: url.to_owned(), token, ca: None });
    credentials.write(&path).expect("it can be written");
}

fn token(target: &Target) -> Option<&str> {
    target.token.as_ref().map(Secret::reveal)
}

#[test]
fn nothing_anywhere_leads_to_up() {
    let error = target(Options::default(), &home("nothing"), &[]).expect_err("there is nothing");
    assert_eq!(error.to_string(), "no cluster is running here");
    assert!(error.hint().expect("there is a way").contains("muster up"));
}

#[test]
fn server_of_this_machine_is_found_in_its_data_directory() {
    let home = home("local");
    endpoint(&home.join(".local/share/muster"), 7070);
    let found = target(Options::default(), &home, &[]).expect("it is there");
    assert_eq!((found.url.as_str(), found.pid), ("http://127.0.0.1:7070", Some(77)));
    assert_eq!(token(&found), Some("local"));
}

#[test]
fn data_directory_can_be_named() {
    let home = home("named");
    endpoint(&home.join("a"), 1);
    endpoint(&home.join("b"), 2);
    let (a, b) = (home.join("a"), home.join("b"));
    let variables = [("MUSTER_DATA", a.to_str().unwrap())];
    let found = target(Options::default(), &home, &variables).expect("it is there");
    assert_eq!(found.url, "http://127.0.0.1:1");
    let said = Options { data: Some(b), ..Options::default() };
    let found = target(said, &home, &variables).expect("it is there");
    assert_eq!(found.url, "http://127.0.0.1:2");
    let said = Options { data: Some(home.join("c")), ..Options::default() };
    let error = target(said, &home, &variables).expect_err("nothing is there");
    let Error::NoCluster { looked } = error else { panic!("{error}") };
    assert_eq!(looked, Some(home.join("c/endpoint.json")));
}

#[test]
fn server_that_is_named_goes_before_the_one_here() {
    let home = home("server");
    endpoint(&home.join(".local/share/muster"), 7070);
    let variables = [("MUSTER_SERVER", "http://host:1"), ("MUSTER_TOKEN", "given")];
    let found = target(Options::default(), &home, &variables).expect("it is named");
    assert_eq!((found.url.as_str(), token(&found)), ("http://host:1", Some("given")));
    let said = Options { server: Some("http://host:2".to_owned()), ..Options::default() };
    let found = target(said, &home, &variables).expect("it is named");
    assert_eq!(found.url, "http://host:2");
}

#[test]
fn variable_that_is_empty_says_nothing() {
    let variables = [("MUSTER_SERVER", ""), ("MUSTER_DATA", "")];
    let error = target(Options::default(), &home("empty"), &variables).expect_err("nothing");
    assert!(matches!(error, Error::NoCluster { .. }));
}

#[test]
fn token_comes_from_where_it_was_said_last() {
    let home = home("token");
    sign_in(&home, "http://host:1/");
    let said = || Options { server: Some("http://host:1".to_owned()), ..Options::default() };
    let kept = target(said(), &home, &[]).expect("it is named");
    assert_eq!(token(&kept), Some("token of http://host:1/"));
    let given = target(said(), &home, &[("MUSTER_TOKEN", "given")]).expect("it is named");
    assert_eq!(token(&given), Some("given"));
    let path = home.join("token");
    fs::write(&path, "filed\n").expect("the folder for tests can be written");
    let filed = Options { token_file: Some(path), ..said() };
    let filed = target(filed, &home, &[("MUSTER_TOKEN", "given")]).expect("it is named");
    assert_eq!(token(&filed), Some("filed"));
}

#[test]
fn server_signed_in_to_last_is_asked_when_none_is_here() {
    let home = home("last");
    sign_in(&home, "http://host:1");
    sign_in(&home, "http://host:2");
    sign_in(&home, "http://host:1");
    let found = target(Options::default(), &home, &[]).expect("it is known");
    assert_eq!(found.url, "http://host:1");
    endpoint(&home.join(".local/share/muster"), 7070);
    let found = target(Options::default(), &home, &[]).expect("it is here");
    assert_eq!(found.url, "http://127.0.0.1:7070");
}

#[test]
fn credentials_are_for_their_owner_alone() {
    let home = home("private");
    sign_in(&home, "http://host:1");
    let path = home.join(".config/muster/credentials.toml");
    let mode = fs::metadata(&path).expect("it was written").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let beside = fs::read_dir(path.parent().unwrap()).expect("it is a folder").count();
    assert_eq!(beside, 1, "nothing is left beside it");
}

#[test]
fn damaged_credentials_are_told_without_the_token() {
    let home = home("damaged");
    sign_in(&home, "http://host:1");
    let path = home.join(".config/muster/credentials.toml");
    let text = fs::read_to_string(&path).expect("it was written");
    fs::write(&path, text.replace("\"\n", "\n")).expect("the folder for tests can be written");
    let error = target(Options::default(), &home, &[]).expect_err("it is damaged");
    assert!(error.to_string().contains("credentials.toml"), "{error}");
    assert!(!format!("{error} {error:?}").contains("token of"), "{error}");
}

#[test]
fn program_in_a_job_shows_what_the_job_was_given_and_its_users_own_elsewhere() {
    let home = home("job");
    sign_in(&home, "http://host:1");
    sign_in(&home, "http://host:2");
    let path = home.join("given.toml");
    let mut given = Credentials::default();
    let (url, token_of_job) = ("http://host:1".to_owned(), Secret::new("of the job"));
    given.remember(Known { url, token: token_of_job, ca: None });
    given.write(&path).expect("it can be written");
    let file = ("MUSTER_JOB_CREDENTIALS", path.to_str().unwrap());
    let found = target(Options::default(), &home, &[file]).expect("it is known");
    assert_eq!((found.url.as_str(), token(&found)), ("http://host:1", Some("of the job")));
    let asked = |url: &str, more: &[(&str, &str)]| {
        let variables = [&[file, ("MUSTER_SERVER", url)], more].concat();
        target(Options::default(), &home, &variables).expect("it is named")
    };
    assert_eq!(token(&asked("http://host:1", &[])), Some("of the job"));
    assert_eq!(token(&asked("http://host:2", &[])), Some("token of http://host:2"));
    let own = asked("http://host:1", &[("MUSTER_TOKEN", "its own")]);
    assert_eq!(token(&own), Some("its own"));
    fs::remove_file(&path).expect("it is there");
    assert_eq!(token(&asked("http://host:1", &[])), Some("token of http://host:1"));
}
