//! `sacctmgr`: who may use what, to look at. It is changed in Muster's own configuration.

use muster_api::SlurmView;
use muster_slurm::tool::{Given, SACCTMGR};
use muster_slurm::words::format::{self, Field, Separators, manage};

use super::session::Session;
use super::{Ended, Stop, asked_about, say};

const NAME: &str = "sacctmgr";

/// Values by the names of their fields.
type Row = Vec<(&'static str, String)>;

pub(super) async fn run(words: Vec<String>) -> Ended {
    let given = SACCTMGR.read(words).map_err(|said| Stop::plain(said, 1))?;
    if let Some(text) = asked_about(&SACCTMGR, &given) {
        return say(&text);
    }
    let words: Vec<&str> = given.rest.iter().map(String::as_str).collect();
    let [verb, entity, rest @ ..] = &words[..] else {
        return Err(Stop::error(NAME, "No command was given\nhint: sacctmgr show qos"));
    };
    if !["show", "list"].contains(verb) {
        let hint = "teams, queues and classes are changed with muster policy apply";
        return Err(Stop::error(NAME, format!("{verb} changes something\nhint: {hint}")));
    }
    let session = Session::open(NAME)?;
    let slurm = session.client.slurm().await.map_err(|error| session.failed(error))?;
    let url = session.client.url().to_owned();
    let is = |word: &str| !entity.is_empty() && word.starts_with(&entity.to_ascii_lowercase());
    let (fields, rows) = if is("qos") {
        (manage::QOS, qos(&slurm))
    } else if is("accounts") {
        (manage::ACCOUNT, accounts(&slurm))
    } else if is("associations") {
        (manage::ASSOCIATION, associations(&slurm))
    } else if is("users") {
        (manage::USER, users(&slurm))
    } else if is("clusters") {
        (manage::CLUSTER, clusters(&slurm, &url))
    } else {
        return Err(Stop::error(NAME, format!("No valid entity in show command: {entity}")));
    };
    let columns = rest.iter().find_map(|word| word.strip_prefix("format="));
    let all: Vec<&str> = fields.iter().map(|field| field.name).collect();
    let columns = columns.map_or_else(|| all.join(","), str::to_owned);
    print(&given, &columns, fields, &rows)
}

fn print(given: &Given, columns: &str, fields: &'static [Field], rows: &[Row]) -> Ended {
    let format = format::accounting(columns, fields).map_err(|error| Stop::error(NAME, error))?;
    say(&table(given, &format, rows))
}

/// The lines of a table in columns or with bars.
pub(super) fn table(given: &Given, format: &format::Accounting, rows: &[Row]) -> String {
    let separators = match given.last(&["parsable", "parsable2"]) {
        Some("parsable") => Separators::After,
        Some(_) => Separators::Between,
        None => Separators::Columns,
    };
    let cell = |row: &Row, field: &Field| {
        let found = row.iter().find(|(name, _)| *name == field.name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let cells: Vec<_> = rows.iter().map(|row| move |field: &Field| cell(row, field)).collect();
    let is_bare = given.has("noheader") || given.has("noheader-h");
    let lines = format.table(!is_bare, separators, &cells);
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn qos(slurm: &SlurmView) -> Vec<Row> {
    let row = |qos: &muster_api::slurm::QosView| {
        vec![
            ("Name", qos.name.clone()),
            ("Priority", qos.priority.to_string()),
            ("GraceTime", "00:00:00".to_owned()),
            ("PreemptMode", "cluster".to_owned()),
        ]
    };
    slurm.qos.iter().map(row).collect()
}

fn accounts(slurm: &SlurmView) -> Vec<Row> {
    let row = |account: &muster_api::slurm::AccountView| {
        vec![
            ("Account", account.name.clone()),
            ("Description", format!("team {}", account.team)),
            ("Organization", account.queue.clone()),
        ]
    };
    slurm.accounts.iter().map(row).collect()
}

fn users(slurm: &SlurmView) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for account in &slurm.accounts {
        for member in &account.members {
            if rows.iter().all(|row| row[0].1 != *member) {
                rows.push(vec![
                    ("User", member.clone()),
                    ("DefaultAccount", account.name.clone()),
                    ("AdminLevel", "None".to_owned()),
                ]);
            }
        }
    }
    rows
}

fn associations(slurm: &SlurmView) -> Vec<Row> {
    let names: Vec<&str> = slurm.qos.iter().map(|qos| qos.name.as_str()).collect();
    let row = |account: &str, user: &str| {
        vec![
            ("Cluster", slurm.cluster.clone()),
            ("Account", account.to_owned()),
            ("User", user.to_owned()),
            ("Share", "1".to_owned()),
            ("QOS", names.join(",")),
        ]
    };
    let of = |account: &muster_api::slurm::AccountView| {
        let members = account.members.iter().map(|member| row(&account.name, member));
        [row(&account.name, "")].into_iter().chain(members).collect::<Vec<Row>>()
    };
    slurm.accounts.iter().flat_map(of).collect()
}

fn clusters(slurm: &SlurmView, url: &str) -> Vec<Row> {
    let address = url.split("://").last().unwrap_or(url);
    let (host, port) = address.rsplit_once(':').unwrap_or((address, "0"));
    vec![vec![
        ("Cluster", slurm.cluster.clone()),
        ("ControlHost", host.to_owned()),
        ("ControlPort", port.to_owned()),
        ("RPC", "9728".to_owned()),
    ]]
}
