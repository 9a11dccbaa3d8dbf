//! What a team is guaranteed instead.

use std::str::FromStr;

use anyhow::{Result, bail};
use muster_model::MilliGpu;
use muster_sim::replay::Teams;
use muster_trace::Cluster;

/// The word for all teams that are not named.
const OTHERS: &str = "others";

/// A team with another guarantee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guarantee {
    team: String,
    amount: Amount,
}

/// How much, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Amount {
    Gpus(u64),
    Times(u64),
}

impl FromStr for Guarantee {
    type Err = String;

    fn from_str(text: &str) -> Result<Guarantee, String> {
        let error = || "expected a team with a factor or with GPUs: TEAM=x2, TEAM=64".to_owned();
        let (team, amount) = text.rsplit_once('=').ok_or_else(error)?;
        let amount = match amount.strip_prefix('x') {
            Some(factor) => Amount::Times(milli(factor).ok_or_else(error)?),
            None => Amount::Gpus(milli(amount).ok_or_else(error)?),
        };
        if team.is_empty() {
            return Err(error());
        }
        Ok(Guarantee { team: team.to_owned(), amount })
    }
}

/// A number that is not negative, in thousandths.
fn milli(text: &str) -> Option<u64> {
    let number: f64 = text.parse().ok()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    (0.0..=1e6).contains(&number).then_some((number * 1_000.0).round() as u64)
}

impl Amount {
    fn of(self, was: MilliGpu) -> MilliGpu {
        match self {
            Amount::Gpus(milli) => MilliGpu(milli),
            Amount::Times(milli) => MilliGpu(was.0.saturating_mul(milli) / 1_000),
        }
    }
}

/// Guarantees teams something else on a cluster; what was done in words, and the teams it was done
/// to by name.
pub(super) fn apply(
    changes: &[Guarantee],
    teams: &mut Teams,
    cluster: &Cluster,
) -> Result<(Vec<String>, Vec<String>)> {
    let (mut words, mut named) = (Vec::new(), Vec::new());
    let is_team = |teams: &mut Teams, name: &str| teams.find(name).is_ok();
    let mut others = None;
    for Guarantee { team, amount } in changes {
        if team == OTHERS && !is_team(teams, OTHERS) {
            others = Some(*amount);
            continue;
        }
        if named.contains(team) {
            bail!("{team} is guaranteed two things\nhint: leave one of them");
        }
        let by = teams.by.word();
        let found = teams.find(team)?;
        let (was, is) = (found.guarantee, amount.of(found.guarantee));
        if matches!(amount, Amount::Times(_)) && was.0 == 0 {
            let hint = format!("name an amount, as in {team}=64");
            bail!("{by} {team} is guaranteed nothing, and so it stays by a factor\nhint: {hint}");
        }
        if was == is {
            let hint = format!("name another amount, as in {team}=64");
            bail!("{by} {team} is guaranteed {was} GPUs already\nhint: {hint}");
        }
        found.guarantee = is;
        named.push(team.clone());
        words.push(format!("{by} {team} guaranteed {is} GPUs instead of {was}"));
    }
    if let Some(amount) = others {
        words.push(change_others(amount, &named, teams)?);
    }
    make_room(&named, teams, cluster)?;
    Ok((words, named))
}

/// All teams that are not named are guaranteed more or less in the same way.
fn change_others(amount: Amount, named: &[String], teams: &mut Teams) -> Result<String> {
    let Amount::Times(_) = amount else {
        bail!("{OTHERS} are guaranteed less by a factor\nhint: write {OTHERS}=x0.9");
    };
    let names: Vec<_> = teams.iter().map(|team| team.name.clone()).collect();
    let (mut was, mut is) = (0, 0);
    for name in names.iter().filter(|name| !named.iter().any(|other| ***name == **other)) {
        let team = teams.find(name)?;
        was += team.guarantee.0;
        team.guarantee = amount.of(team.guarantee);
        is += team.guarantee.0;
    }
    Ok(format!("all others {} GPUs instead of {}", MilliGpu(is), MilliGpu(was)))
}

/// Refuses to guarantee more than there is, with what would do.
fn make_room(named: &[String], teams: &Teams, cluster: &Cluster) -> Result<()> {
    let Err(error) = teams.check(cluster) else { return Ok(()) };
    let is_named = |name: &str| named.iter().any(|other| other == name);
    let sum = |wanted: bool| -> u64 {
        let some = teams.iter().filter(|team| is_named(&team.name) == wanted);
        some.map(|team| team.guarantee.0).sum()
    };
    let (ours, theirs) = (sum(true), sum(false));
    let left = MilliGpu::whole(cluster.gpus()).0.checked_sub(ours);
    let Some(factor) = left.and_then(|left| (left * 1_000).checked_div(theirs)) else {
        return Err(error.into());
    };
    let reason = error.to_string();
    let reason = reason.lines().next().unwrap_or_default();
    let factor = format!("{}.{:03}", factor / 1_000, factor % 1_000);
    bail!("{reason}\nhint: guarantee the others less, as with --guarantee {OTHERS}=x{factor}")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use muster_model::{MilliGpu, Millis, Time};
    use muster_sim::replay::Teams;
    use muster_trace::{Cluster, Gpus, Job, Queue, Trace};

    use super::{Guarantee, apply};

    /// Teams a, b=1 and c with 8, 4 and 3 GPUs of 16, and d with none.
    fn change(texts: &[&str]) -> Result<(Vec<u64>, Vec<String>), String> {
        let cluster = Cluster::find("2x8:H100", Path::new(".")).unwrap();
        let queue = |team: &str, gpus| Queue {
            team: team.into(),
            guarantee: MilliGpu::whole(gpus),
            weight: 1,
        };
        let cluster = Cluster {
            queues: vec![queue("a", 8), queue("b=1", 4), queue("c", 3), queue("d", 0)],
            ..cluster
        };
        let job = Job::new("1", Time(0), Millis(1), Gpus::Whole(1));
        let trace = Trace::new("one", vec![Job { team: Some("a".into()), ..job }]);
        let mut teams = Teams::of(&trace, &cluster).unwrap();
        let changes: Result<Vec<Guarantee>, String> =
            texts.iter().map(|text| text.parse()).collect();
        let (words, _) =
            apply(&changes?, &mut teams, &cluster).map_err(|error| error.to_string())?;
        Ok((teams.iter().map(|team| team.guarantee.0).collect(), words))
    }

    #[test]
    fn guarantees_are_set_in_gpus_or_by_a_factor() {
        let (given, words) = change(&["c=4", "b=1=x0.5"]).unwrap();
        assert_eq!(given, [8_000, 2_000, 4_000, 0]);
        let expected =
            ["team c guaranteed 4 GPUs instead of 3", "team b=1 guaranteed 2 GPUs instead of 4"];
        assert_eq!(words, expected);
    }

    #[test]
    fn others_make_room_for_who_is_guaranteed_more() {
        let said = change(&["a=x1.5"]).unwrap_err();
        let expected = "19 GPUs are guaranteed in all, and the cluster has 16\n\
                        hint: guarantee the others less, as with --guarantee others=x0.571";
        assert_eq!(said, expected);
        let (given, words) = change(&["a=x1.5", "others=x0.571"]).unwrap();
        assert_eq!(given, [12_000, 2_284, 1_713, 0]);
        assert_eq!(words[1], "all others 3.997 GPUs instead of 7");
        let said = change(&["a=17"]).unwrap_err();
        assert!(said.contains("take a larger cluster"), "{said}");
    }

    #[test]
    fn what_cannot_be_guaranteed_is_refused_with_a_way_out() {
        for (texts, wanted) in [
            (&["e=x2"][..], "there is no team e\nhint: expected one of a, b=1, c, d"),
            (&["d=x2"], "team d is guaranteed nothing, and so it stays by a factor"),
            (&["a=8"], "team a is guaranteed 8 GPUs already"),
            (&["a=4", "a=x2"], "a is guaranteed two things"),
            (&["others=4"], "write others=x0.9"),
            (&["a"], "TEAM=x2, TEAM=64"),
            (&["a=much"], "TEAM=x2, TEAM=64"),
            (&["a=-4"], "TEAM=x2, TEAM=64"),
            (&["=4"], "TEAM=x2, TEAM=64"),
        ] {
            let said = change(texts).unwrap_err();
            assert!(said.contains(wanted), "{said}");
        }
    }
}
