//! Who tasks run as: the account that the job names, as this node knows it, and never root unless
//! that is allowed by name.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::launch::Refused;
use crate::launch::task_file::UserIds;

/// An account of this node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The login name.
    pub name: String,
    /// Home.
    pub home: PathBuf,
    /// The login shell.
    pub shell: String,
    /// What to change to; nothing where it is the agent's own account.
    pub ids: Option<UserIds>,
}

impl Person {
    /// The numbers of the user and their group.
    pub fn numbers(&self) -> (u32, u32) {
        match &self.ids {
            Some(ids) => (ids.uid, ids.gid),
            None => {
                use rustix::process::{getegid, geteuid};
                (geteuid().as_raw(), getegid().as_raw())
            }
        }
    }
}

/// Which accounts tasks may run as.
#[derive(Clone, Debug)]
pub struct Accounts {
    /// The agent's own account, which every task gets if `as_agent` is set.
    own: Person,
    own_uid: u32,
    as_agent: bool,
    /// Whether root is allowed.
    root: bool,
    /// Where accounts are looked up first.
    files: PathBuf,
}

impl Accounts {
    /// The accounts of this node.
    pub fn new(as_agent: bool, root: bool) -> Accounts {
        let own_uid = rustix::process::geteuid().as_raw();
        Accounts::with_files(Path::new("/etc"), own_uid, as_agent, root)
    }

    fn with_files(files: &Path, own_uid: u32, as_agent: bool, root: bool) -> Accounts {
        let known = Line::find(&read(files, "passwd"), |line| line.uid == own_uid)
            .or_else(|| Line::parse(&ask("getent", &["passwd", &own_uid.to_string()])));
        let home = || std::env::var("HOME").unwrap_or_else(|_| "/".to_owned());
        let own = known.map_or_else(
            || Person {
                name: own_uid.to_string(),
                home: PathBuf::from(home()),
                shell: "/bin/sh".to_owned(),
                ids: None,
            },
            |line| line.person(None),
        );
        Accounts { own, own_uid, as_agent, root, files: files.to_owned() }
    }

    /// Who a task of this account's job runs as.
    pub fn find(&self, account: Option<&str>) -> Result<Person, Refused> {
        if self.as_agent {
            return Ok(self.own.clone());
        }
        let Some(name) = account else {
            let detail = "the job says nothing of the account it should run as";
            return Err(Refused::job("no-account", detail));
        };
        let line = self.look_up(name).ok_or_else(|| {
            Refused::job("no-such-account", format!("this node knows no account `{name}`"))
        })?;
        if line.uid == 0 && !self.root {
            let detail = "tasks may not run as root here; the setting `allow_root` would allow it";
            return Err(Refused::job("no-root", detail));
        }
        if line.uid == self.own_uid {
            return Ok(line.person(None));
        }
        if self.own_uid != 0 {
            let detail = format!(
                "the agent runs as `{}` and cannot run tasks of `{name}`; start it as root, or \
                 with `run_as_agent` to run all tasks as itself",
                self.own.name
            );
            return Err(Refused::job("other-account", detail));
        }
        let groups = self.groups(&line);
        let ids = UserIds { uid: line.uid, gid: line.gid, groups };
        Ok(line.person(Some(ids)))
    }

    /// In the node's own files, or wherever else the node knows accounts from.
    fn look_up(&self, name: &str) -> Option<Line> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-@".contains(&byte);
        if name.is_empty() || name.starts_with('-') || !name.bytes().all(is_plain) {
            return None;
        }
        Line::find(&read(&self.files, "passwd"), |line| line.name == name).or_else(|| {
            Line::parse(&ask("getent", &["passwd", name])).filter(|line| line.name == name)
        })
    }

    fn groups(&self, line: &Line) -> Vec<u32> {
        let text = read(&self.files, "group");
        let is_member = |members: &str| members.split(',').any(|member| member == line.name);
        let listed = text.lines().filter_map(|group| {
            let fields: Vec<&str> = group.split(':').collect();
            fields.get(3).filter(|members| is_member(members))?;
            fields.get(2)?.parse().ok()
        });
        let elsewhere = ask("id", &["-G", &line.name]);
        let elsewhere = elsewhere.split_whitespace().filter_map(|group| group.parse().ok());
        let mut groups: Vec<u32> = [line.gid].into_iter().chain(listed).chain(elsewhere).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }
}

/// A line of the list of accounts.
#[derive(Clone, Debug)]
struct Line {
    name: String,
    uid: u32,
    gid: u32,
    home: PathBuf,
    shell: String,
}

impl Line {
    fn find(text: &str, is_meant: impl Fn(&Line) -> bool) -> Option<Line> {
        text.lines().filter_map(Line::parse).find(is_meant)
    }

    fn parse(line: &str) -> Option<Line> {
        let fields: Vec<&str> = line.trim_end().split(':').collect();
        let [name, _, uid, gid, _, home, shell] = fields.as_slice() else { return None };
        let shell = if shell.is_empty() { "/bin/sh" } else { shell };
        Some(Line {
            name: (*name).to_owned(),
            uid: uid.parse().ok()?,
            gid: gid.parse().ok()?,
            home: PathBuf::from(if home.is_empty() { "/" } else { home }),
            shell: shell.to_owned(),
        })
    }

    fn person(&self, ids: Option<UserIds>) -> Person {
        let Line { name, home, shell, .. } = self.clone();
        Person { name, home, shell, ids }
    }
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_default()
}

/// What a tool of the system says; nothing where it is missing or fails.
fn ask(tool: &str, arguments: &[&str]) -> String {
    let answer = Command::new(tool).args(arguments).output();
    let answer = answer.ok().filter(|answer| answer.status.success());
    answer.map(|answer| String::from_utf8_lossy(&answer.stdout).into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Accounts;

    fn accounts(own: u32, as_agent: bool, root: bool) -> (tempfile::TempDir, Accounts) {
        let files = tempfile::tempdir().unwrap();
        let passwd = "root:x:0:0:root:/root:/bin/bash\nuser-a:x:90001:90001::/homes/a:\n";
        std::fs::write(files.path().join("passwd"), passwd).unwrap();
        std::fs::write(files.path().join("group"), "vision:x:90500:user-b,user-a\n").unwrap();
        let accounts = Accounts::with_files(files.path(), own, as_agent, root);
        (files, accounts)
    }

    fn name_of(refused: crate::launch::Refused) -> String {
        match refused.refusal {
            muster_engine::command::Refusal::Job(name) => name.to_string(),
            other => panic!("it is the job's fault, not {other:?}"),
        }
    }

    #[test]
    fn root_runs_tasks_as_the_account_of_the_job_with_its_groups() {
        let (_files, accounts) = accounts(0, false, false);
        let person = accounts.find(Some("user-a")).unwrap();
        let ids = person.ids.unwrap();
        assert_eq!((ids.uid, ids.gid, ids.groups), (90001, 90001, vec![90001, 90500]));
        assert_eq!(person.shell, "/bin/sh");
    }

    #[test]
    fn tasks_never_run_as_root_unless_that_is_allowed() {
        let (_files, strict) = accounts(0, false, false);
        assert_eq!(name_of(strict.find(Some("root")).unwrap_err()), "no-root");
        assert_eq!(name_of(strict.find(None).unwrap_err()), "no-account");
        let (_files, open) = accounts(0, false, true);
        assert_eq!(open.find(Some("root")).unwrap().ids, None);
    }

    #[test]
    fn an_account_the_node_does_not_know_is_refused() {
        let (_files, accounts) = accounts(0, false, false);
        for name in ["user-zz", "", "-c", "../x", "a b"] {
            assert_eq!(name_of(accounts.find(Some(name)).unwrap_err()), "no-such-account");
        }
    }

    #[test]
    fn an_agent_that_is_not_root_runs_only_what_is_its_own() {
        let (_files, own) = accounts(90001, false, false);
        assert_eq!(own.find(Some("user-a")).unwrap().ids, None);
        assert_eq!(name_of(own.find(Some("root")).unwrap_err()), "no-root");
        let (_files, other) = accounts(90002, false, true);
        assert_eq!(name_of(other.find(Some("user-a")).unwrap_err()), "other-account");
        let (_files, all) = accounts(90001, true, false);
        assert_eq!(all.find(Some("user-zz")).unwrap().name, "user-a");
    }
}
