//! The numbers and groups of users, by the files of this machine.

use std::collections::BTreeMap;
use std::fs;

/// What is said of who is not known here: nobody.
const NOBODY: u32 = 65_534;

/// The accounts of this machine.
#[derive(Debug, Default)]
pub(super) struct People {
    users: BTreeMap<String, (u32, u32)>,
    groups: BTreeMap<u32, String>,
}

impl People {
    pub(super) fn here() -> People {
        let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let group = fs::read_to_string("/etc/group").unwrap_or_default();
        People::read(&passwd, &group)
    }

    fn read(passwd: &str, group: &str) -> People {
        let mut people = People::default();
        for line in passwd.lines() {
            let fields: Vec<&str> = line.split(':').collect();
            if let [name, _, uid, gid, ..] = fields[..]
                && let (Ok(uid), Ok(gid)) = (uid.parse(), gid.parse())
            {
                people.users.entry(name.to_owned()).or_insert((uid, gid));
            }
        }
        for line in group.lines() {
            let fields: Vec<&str> = line.split(':').collect();
            if let [name, _, gid, ..] = fields[..]
                && let Ok(gid) = gid.parse()
            {
                people.groups.entry(gid).or_insert_with(|| name.to_owned());
            }
        }
        people
    }

    /// A user's number, and that of their group.
    pub(super) fn numbers(&self, name: &str) -> (u32, u32) {
        self.users.get(name).copied().unwrap_or((NOBODY, NOBODY))
    }

    /// Whether a user is known here.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.users.contains_key(name)
    }

    /// The name of a user, given by name or by number.
    pub(super) fn name<'a>(&'a self, word: &'a str) -> &'a str {
        let Ok(number) = word.parse::<u32>() else { return word };
        let found = self.users.iter().find(|(_, (uid, _))| *uid == number);
        found.map_or(word, |(name, _)| name)
    }

    /// The name of a group.
    pub(super) fn group(&self, gid: u32) -> String {
        self.groups.get(&gid).cloned().unwrap_or_else(|| gid.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::People;

    #[test]
    fn users_and_groups_are_found_by_name_and_number() {
        let people = People::read(
            "root:x:0:0::/:/bin/sh\nbad\nuser-a:x:1000:100::/:/bin/sh\n",
            "users:x:100:\n",
        );
        assert_eq!(people.numbers("user-a"), (1000, 100));
        assert_eq!(people.group(100), "users");
        assert_eq!(people.group(7), "7");
        assert_eq!((people.name("1000"), people.name("user-b")), ("user-a", "user-b"));
        assert!(people.knows("root") && !people.knows("user-b"));
    }
}
