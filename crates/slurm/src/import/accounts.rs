//! What `sacctmgr dump` wrote: `Account - 'vision':Fairshare=10` below `Parent - 'root'`.

use std::collections::BTreeMap;

/// Who belongs to which account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accounts {
    /// The accounts with their weight and members.
    pub accounts: BTreeMap<String, Account>,
    /// The QOS that are mentioned.
    pub qos: Vec<String>,
}

/// One account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The account above it, other than the root.
    pub parent: Option<String>,
    /// Its part of what is shared.
    pub weight: u32,
    /// Who belongs to it.
    pub members: Vec<String>,
}

pub(super) fn read(text: &str, left_out: &mut Vec<String>) -> Accounts {
    let mut accounts = Accounts::default();
    let mut parent = String::new();
    for (index, raw) in text.lines().enumerate() {
        let line = raw.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = index + 1;
        let Some((kind, rest)) = line.split_once(" - ") else {
            left_out.push(format!("accounts line {number}: {line}"));
            continue;
        };
        let mut fields = fields(rest);
        let name = fields.next().unwrap_or_default();
        let pairs: BTreeMap<String, String> = fields
            .filter_map(|field| {
                let (name, value) = field.split_once('=')?;
                Some((name.to_ascii_lowercase(), value.trim_matches('\'').to_owned()))
            })
            .collect();
        for qos in pairs.get("qos").into_iter().flat_map(|list| list.split(',')) {
            let qos = qos.trim_start_matches(['+', '-']).to_owned();
            if !qos.is_empty() && !accounts.qos.contains(&qos) {
                accounts.qos.push(qos);
            }
        }
        for (limit, value) in pairs.iter().filter(|(name, _)| is_limit(name)) {
            left_out.push(format!("accounts line {number}: {kind} {name}: {limit}={value}"));
        }
        match kind.trim() {
            "Cluster" => {}
            "Parent" => parent = name,
            "Account" => {
                let weight = pairs.get("fairshare").and_then(|text| text.parse().ok());
                let above = Some(parent.clone()).filter(|parent| parent != "root");
                let account = Account {
                    parent: above.filter(|above| !above.is_empty()),
                    weight: weight.unwrap_or(1),
                    members: Vec::new(),
                };
                accounts.accounts.entry(name).or_insert(account);
            }
            "User" => {
                if let Some(account) = accounts.accounts.get_mut(&parent)
                    && !account.members.contains(&name)
                {
                    account.members.push(name);
                }
            }
            other => left_out.push(format!("accounts line {number}: {other}")),
        }
    }
    accounts
}

fn is_limit(name: &str) -> bool {
    name.starts_with("grp") || name.starts_with("max")
}

/// Parts between colons outside of quotes, without the quotes of the first.
fn fields(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    for letter in text.chars() {
        match letter {
            '\'' => {
                is_quoted = !is_quoted;
            }
            ':' if !is_quoted => fields.push(String::new()),
            letter => {
                if let Some(last) = fields.last_mut() {
                    last.push(letter);
                }
            }
        }
    }
    fields.into_iter().map(|field| field.trim().to_owned())
}
