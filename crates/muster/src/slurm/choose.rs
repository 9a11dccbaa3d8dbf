//! Which jobs a command means: numbers, names, states, nodes.

use muster_client::SlurmFilter;
use muster_slurm::report::{Elements, JobFacts};
use muster_slurm::tool::Given;
use muster_slurm::values::{Hostlist, JobWord};
use muster_slurm::words::State;

use super::Stop;
use super::facts::{self, Teller};
use super::people::People;
use super::session::Session;

/// What jobs have to be like. Nothing said is anything.
#[derive(Debug, Default)]
pub(super) struct Choice {
    pub(super) jobs: Option<Vec<JobWord>>,
    pub(super) users: Option<Vec<String>>,
    pub(super) names: Option<Vec<String>>,
    pub(super) partitions: Option<Vec<String>>,
    pub(super) accounts: Option<Vec<String>>,
    pub(super) qos: Option<Vec<String>>,
    pub(super) states: Option<Vec<State>>,
    pub(super) nodes: Option<Vec<String>>,
    pub(super) reservations: Option<Vec<String>>,
    /// Attempts that were not the last, too.
    pub(super) duplicates: bool,
}

impl Choice {
    /// Whether a job is meant.
    pub(super) fn wants(&self, job: &JobFacts) -> bool {
        let is_in = |list: &Option<Vec<String>>, value: &str| {
            list.as_ref().is_none_or(|list| list.iter().any(|one| one == value))
        };
        let on = |nodes: &Vec<String>| job.nodes.iter().any(|node| nodes.contains(node));
        let reserved = |names: &Vec<String>| {
            job.request.identity.reservations.iter().any(|name| names.contains(name))
        };
        is_in(&self.users, &job.user)
            && is_in(&self.names, &job.name)
            && is_in(&self.partitions, &job.partition)
            && is_in(&self.accounts, &job.account)
            && is_in(&self.qos, &job.qos)
            && self.states.as_ref().is_none_or(|states| states.contains(&job.state))
            && self.nodes.as_ref().is_none_or(on)
            && self.reservations.as_ref().is_none_or(reserved)
            && self.jobs.as_ref().is_none_or(|words| words.iter().any(|word| is_meant(word, job)))
    }

    /// The numbers that are asked for.
    pub(super) fn numbers(&self) -> Option<Vec<u64>> {
        self.jobs.as_ref().map(|words| words.iter().map(|word| word.job).collect())
    }
}

/// Whether a word means a job: by its own number, its array's, or as one of its elements.
pub(super) fn is_meant(word: &JobWord, job: &JobFacts) -> bool {
    match (&job.array, &word.elements) {
        (Some((array, Elements::One(index))), Some(elements)) => {
            *array == word.job && elements.contains(index)
        }
        (Some((array, _)), None) => *array == word.job || job.id == word.job,
        (None, None) => job.id == word.job,
        (Some((array, Elements::Several(..))), Some(_)) => *array == word.job,
        (None, Some(_)) => false,
    }
}

/// Jobs by number; the first that is none otherwise.
pub(super) fn jobs(words: &[String]) -> Result<Vec<JobWord>, String> {
    // Elements have commas of their own: `12_[1,3]`.
    let text = words.join(",");
    let mut parts = Vec::new();
    let (mut part, mut depth) = (String::new(), 0_usize);
    for letter in text.chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(std::mem::take(&mut part));
                continue;
            }
            _ => {}
        }
        part.push(letter);
    }
    parts.push(part);
    let parts = parts.into_iter().map(|part| part.trim().to_owned());
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(|part| part.parse().map_err(|_| part)).collect()
}

/// States by word or code; `all` is every one.
pub(super) fn states(words: &[String]) -> Result<Option<Vec<State>>, String> {
    if words.iter().any(|word| word.eq_ignore_ascii_case("all")) {
        return Ok(None);
    }
    let read = words.iter().map(|word| word.parse().map_err(|_| word.clone()));
    read.collect::<Result<Vec<State>, String>>().map(Some)
}

/// Nodes as a list of hosts.
pub(super) fn nodes(command: &str, given: &Given, name: &str) -> Result<Option<Vec<String>>, Stop> {
    let Some(text) = given.value(name) else { return Ok(None) };
    let list: Hostlist = text.parse().map_err(|error| Stop::error(command, error))?;
    Ok(Some(list.hosts().to_vec()))
}

/// Users by name or number.
pub(super) fn users(given: &Given, people: &People, me: &str) -> Option<Vec<String>> {
    if given.has("me") {
        return Some(vec![me.to_owned()]);
    }
    let users = given.list("user")?;
    Some(users.iter().map(|user| people.name(user).to_owned()).collect())
}

/// The jobs that are meant, as facts, oldest first.
pub(super) async fn found(
    session: &Session,
    choice: &Choice,
    filter: SlurmFilter,
) -> Result<Vec<JobFacts>, Stop> {
    let slurm = session.client.slurm().await.map_err(|error| session.failed(error))?;
    let people = People::here();
    let teller = Teller { slurm: &slurm, people: &people };
    let filter = SlurmFilter { jobs: choice.numbers(), ..filter };
    let views = session.client.slurm_jobs(&filter).await.map_err(|it| session.failed(it))?;
    let mut jobs = Vec::new();
    for view in &views {
        let job = teller.job(view);
        let earlier = choice.duplicates.then(|| facts::earlier(view, &job));
        jobs.push(job);
        jobs.extend(earlier.into_iter().flatten().rev());
    }
    jobs.retain(|job| choice.wants(job));
    jobs.reverse();
    Ok(jobs)
}

#[cfg(test)]
mod tests {
    use super::{jobs, states};

    #[test]
    fn lists_of_jobs_keep_the_commas_of_elements() {
        let words = ["1,2_[1,3-4]".to_owned(), "5.batch".to_owned()];
        let read = jobs(&words).expect("good words");
        assert_eq!(read.len(), 3);
        assert_eq!(read[1].elements, Some(vec![1, 3, 4]));
        assert_eq!(jobs(&["1,abc".to_owned()]), Err("abc".to_owned()));
    }

    #[test]
    fn states_are_words_or_codes_or_all() {
        let read = |text: &str| states(&text.split(',').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(read("pd,RUNNING").map(|it| it.map(|it| it.len())), Ok(Some(2)));
        assert_eq!(read("PD,all"), Ok(None));
        assert_eq!(read("PD,foo"), Err("foo".to_owned()));
    }
}
