//! `sreport`: what was used, by cluster, account, user and size of jobs. To look at only.

use muster_api::Moment as ApiMoment;
use muster_client::SlurmFilter;
use muster_model::Time;
use muster_slurm::report::usage::{Counted, Span, Usage};
use muster_slurm::tool::{Given, SREPORT};
use muster_slurm::values::{Clock, Day, Moment};
use muster_slurm::words::format::{self, Field, manage};
use muster_slurm::words::time::stamp;

use super::choose::{self, Choice};
use super::sacctmgr::table;
use super::session::Session;
use super::{Ended, Stop, asked_about, say};

const NAME: &str = "sreport";

/// Users that `user top` shows unless it is told otherwise.
const TOP: usize = 10;

const DAY_MS: u64 = 86_400_000;

/// Values by the names of their fields.
type Row = Vec<(&'static str, String)>;

pub(super) async fn run(words: Vec<String>) -> Ended {
    let given = SREPORT.read(words).map_err(|said| Stop::plain(said, 1))?;
    if let Some(text) = asked_about(&SREPORT, &given) {
        return say(&text);
    }
    let (kind, rest) = kind(&given)?;
    let session = Session::open(NAME)?;
    let asked = Asked::read(&given, rest, session.clock)?;
    let choice = Choice {
        users: asked.list("users"),
        accounts: asked.list("accounts"),
        duplicates: true,
        ..Choice::default()
    };
    let filter = SlurmFilter {
        ended_since: Some(ApiMoment(asked.span.from)),
        attempts: true,
        ..SlurmFilter::default()
    };
    let jobs = choose::found(&session, &choice, filter).await?;
    let usage = Usage::of(&jobs, asked.span, asked.counted, session.clock.now);
    let cluster = session.client.slurm().await.map_err(|error| session.failed(error))?.cluster;
    let (fields, rows) = match kind {
        Kind::Utilization => {
            let capacity = capacity(&session, asked.counted).await? * asked.span.seconds();
            (manage::UTILIZATION, vec![asked.utilization(&cluster, &usage, capacity)])
        }
        Kind::ByUser => (manage::USED_BY_USER, asked.by_user(&cluster, &usage)),
        Kind::Top => (manage::TOP, asked.top(&cluster, &usage)),
        Kind::Sizes => (manage::SIZES, asked.sizes(&cluster, &usage)),
    };
    let names: Vec<&str> = fields.iter().map(|field: &Field| field.name).collect();
    let columns = asked.value("format").map_or_else(|| names.join(","), str::to_owned);
    let format = format::accounting(&columns, fields).map_err(|it| Stop::error(NAME, it))?;
    let head = asked.head(kind, session.clock);
    say(&format!("{head}{}", table(&given, &format, &rows)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Utilization,
    ByUser,
    Top,
    Sizes,
}

/// Which report is asked for; words may be cut short.
fn kind(given: &Given) -> Result<(Kind, &[String]), Stop> {
    const KNOWN: [(&str, &str, Kind); 4] = [
        ("cluster", "utilization", Kind::Utilization),
        ("cluster", "accountutilizationbyuser", Kind::ByUser),
        ("user", "topusage", Kind::Top),
        ("job", "sizesbyaccount", Kind::Sizes),
    ];
    let hint = "known are `cluster utilization`, `cluster accountutilizationbyuser`, `user top` \
                and `job sizesbyaccount`; `muster` keeps all usage in its history";
    let [about, report, rest @ ..] = &given.rest[..] else {
        return Err(Stop::error(NAME, format!("no report was named\nhint: {hint}")));
    };
    let (about, report) = (about.to_ascii_lowercase(), report.to_ascii_lowercase());
    let found = KNOWN.iter().find(|(object, name, _)| {
        !report.is_empty() && object.starts_with(&about) && name.starts_with(&report)
    });
    let kind = found.map(|(_, _, kind)| (*kind, rest));
    kind.ok_or_else(|| {
        Stop::error(NAME, format!("the report {about} {report} is not there\nhint: {hint}"))
    })
}

/// CPUs or GPUs of all nodes.
async fn capacity(session: &Session, counted: Counted) -> Result<u64, Stop> {
    let nodes = session.client.nodes().await.map_err(|error| session.failed(error))?;
    let sizes = nodes.iter().map(|node| match counted {
        Counted::Cpus => node.cpus_milli / 1000,
        Counted::Gpus => u64::from(node.gpus),
    });
    Ok(sizes.sum())
}

/// What is asked for, beside the report.
struct Asked<'a> {
    span: Span,
    counted: Counted,
    /// The name of a unit and how many seconds it has.
    unit: (&'static str, u64),
    settings: Vec<(String, &'a str)>,
    is_bare: bool,
}

impl<'a> Asked<'a> {
    fn read(given: &Given, rest: &'a [String], clock: Clock) -> Result<Asked<'a>, Stop> {
        let mut settings = Vec::new();
        for word in rest {
            let Some((name, value)) = word.split_once('=') else {
                return Err(Stop::error(NAME, format!("Unknown condition: {word}")));
            };
            let name = name.to_ascii_lowercase();
            let known = ["start", "end", "accounts", "users", "topcount", "format", "clusters"];
            let Some(known) = known.iter().find(|known| known.starts_with(&name)) else {
                return Err(Stop::error(NAME, format!("Unknown condition: {word}")));
            };
            settings.push(((*known).to_owned(), value));
        }
        let unit = match given.value("t").unwrap_or("minutes").to_ascii_lowercase() {
            word if "seconds".starts_with(&word) => ("Seconds", 1),
            word if "minutes".starts_with(&word) => ("Minutes", 60),
            word if "hours".starts_with(&word) => ("Hours", 3600),
            word => return Err(Stop::error(NAME, format!("the unit {word} is not known"))),
        };
        let counted = match given.value("tres").unwrap_or("cpu") {
            "cpu" => Counted::Cpus,
            "gres/gpu" => Counted::Gpus,
            other => {
                let said = format!("usage of {other} is not kept\nhint: cpu and gres/gpu are");
                return Err(Stop::error(NAME, said));
            }
        };
        let is_bare = given.has("noheader") || given.last(&["parsable", "parsable2"]).is_some();
        let mut asked = Asked { span: yesterday(clock), counted, unit, settings, is_bare };
        if let Some(from) = asked.moment("start", clock)? {
            asked.span = Span { from, until: asked.span.until.max(from) };
        }
        if let Some(until) = asked.moment("end", clock)? {
            asked.span.until = until.min(clock.now);
        }
        Ok(asked)
    }

    fn value(&self, name: &str) -> Option<&'a str> {
        self.settings.iter().rev().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    fn list(&self, name: &str) -> Option<Vec<String>> {
        self.value(name).map(|text| text.split(',').map(str::to_owned).collect())
    }

    fn moment(&self, name: &str, clock: Clock) -> Result<Option<Time>, Stop> {
        let Some(text) = self.value(name) else { return Ok(None) };
        let moment: Moment = text.parse().map_err(|error| Stop::error(NAME, error))?;
        Ok(Some(moment.resolve(clock)))
    }

    /// What is said above the columns.
    fn head(&self, kind: Kind, clock: Clock) -> String {
        if self.is_bare {
            return String::new();
        }
        let title = match kind {
            Kind::Utilization => "Cluster Utilization",
            Kind::ByUser => "Cluster/Account/User Utilization",
            Kind::Top => "Top Users",
            Kind::Sizes => "Job Sizes",
        };
        let line = "-".repeat(80);
        let what = match self.counted {
            Counted::Cpus => "CPU",
            Counted::Gpus => "TRES",
        };
        let from = stamp(self.span.from, clock.offset_s);
        // Slurm names the last second that counts.
        let until = stamp(Time(self.span.until.0.saturating_sub(1000)), clock.offset_s);
        let unit = self.unit.0;
        format!("{line}\n{title} {from} - {until}\nUsage reported in {what} {unit}\n{line}\n")
    }

    fn shown(&self, seconds: u64) -> String {
        (seconds / self.unit.1).to_string()
    }

    fn utilization(&self, cluster: &str, usage: &Usage, capacity: u64) -> Row {
        let used = usage.all.min(capacity);
        vec![
            ("Cluster", cluster.to_owned()),
            ("Allocated", self.shown(used)),
            // When nodes were down is not kept.
            ("Down", self.shown(0)),
            ("PlannedDown", self.shown(0)),
            ("Idle", self.shown(capacity - used)),
            ("Planned", self.shown(0)),
            ("Reported", self.shown(capacity)),
        ]
    }

    fn by_user(&self, cluster: &str, usage: &Usage) -> Vec<Row> {
        let row = |account: &str, user: &str, used: u64| {
            vec![
                ("Cluster", cluster.to_owned()),
                ("Account", account.to_owned()),
                ("Login", user.to_owned()),
                ("Used", self.shown(used)),
                ("Energy", "0".to_owned()),
            ]
        };
        let mut rows = Vec::new();
        for (account, used) in usage.accounts() {
            rows.push(row(account, "", used));
            let own = usage.by.iter().filter(|((of, _), _)| of == account);
            rows.extend(own.map(|((account, user), used)| row(account, user, *used)));
        }
        rows
    }

    fn top(&self, cluster: &str, usage: &Usage) -> Vec<Row> {
        let most = self.value("topcount").and_then(|text| text.parse().ok()).unwrap_or(TOP);
        let row = |(user, account, used): (String, String, u64)| {
            vec![
                ("Cluster", cluster.to_owned()),
                ("Login", user),
                ("Account", account),
                ("Used", self.shown(used)),
                ("Energy", "0".to_owned()),
            ]
        };
        usage.top(most).into_iter().map(row).collect()
    }

    fn sizes(&self, cluster: &str, usage: &Usage) -> Vec<Row> {
        let row = |(account, sizes): (&String, &[u64; 5])| {
            let columns = manage::SIZES[2..7].iter().map(|field| field.name);
            let mut row = vec![("Cluster", cluster.to_owned()), ("Account", account.clone())];
            row.extend(columns.zip(sizes).map(|(name, used)| (name, self.shown(*used))));
            let all: u64 = sizes.iter().sum();
            // In hundredths of a percent.
            let part = (all * 10_000).checked_div(usage.all).unwrap_or(0);
            row.push(("PercentOfCluster", format!("{}.{:02}%", part / 100, part % 100)));
            row
        };
        usage.sizes.iter().map(row).collect()
    }
}

/// The whole day before this one.
fn yesterday(clock: Clock) -> Span {
    let midnight = Moment::At { day: Day::Today, second: 0 }.resolve(clock);
    Span { from: Time(midnight.0.saturating_sub(DAY_MS)), until: midnight }
}
