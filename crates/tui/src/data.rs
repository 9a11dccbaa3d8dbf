//! What the server has said, each part with its age and with what went wrong last.

use std::sync::Arc;

use muster_api::usage::Funnel;
use muster_api::view::{JobView, MapView, PlanView, QueueView, WhyView};
use muster_api::{JobDetail, Moment};
use muster_model::Time;

use crate::app::Which;
use crate::words;

/// Something that went wrong, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) text: String,
    pub(crate) hint: Option<String>,
}

impl From<&muster_client::Error> for Failure {
    fn from(error: &muster_client::Error) -> Failure {
        Failure { text: error.to_string(), hint: error.hint() }
    }
}

/// Something the server was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Known<T> {
    pub(crate) value: Option<T>,
    pub(crate) failure: Option<Failure>,
}

impl<T> Default for Known<T> {
    fn default() -> Known<T> {
        Known { value: None, failure: None }
    }
}

impl<T> Known<T> {
    /// Takes an answer. What was known before stays when the new one is a failure.
    pub(crate) fn hear(&mut self, answer: Result<T, Failure>) {
        match answer {
            Ok(value) => *self = Known { value: Some(value), failure: None },
            Err(failure) => self.failure = Some(failure),
        }
    }
}

/// Whether the stream of pictures flows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Link {
    /// It has not begun.
    #[default]
    Connecting,
    /// It flows.
    Live,
    /// It has broken off.
    Lost { since: Time, failure: Failure },
}

/// Jobs of one of the lists, and whether there are more than were asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct JobList {
    pub(crate) jobs: Vec<JobView>,
    pub(crate) is_more: bool,
}

/// One job with the answer to why it is where it is.
#[derive(Clone, Debug)]
pub(crate) struct OneJob {
    pub(crate) detail: JobDetail,
    pub(crate) why: Result<WhyView, Failure>,
}

/// The funnel over a while.
#[derive(Clone, Debug)]
pub(crate) struct Used {
    pub(crate) since: Moment,
    pub(crate) until: Moment,
    pub(crate) funnel: Funnel,
}

/// All of it.
#[derive(Debug, Default)]
pub(crate) struct Data {
    pub(crate) link: Link,
    pub(crate) map: Option<Arc<MapView>>,
    /// The nodes of the map in the order they are drawn: by domain, then as people count.
    pub(crate) order: Vec<usize>,
    pub(crate) jobs: Known<(Which, JobList)>,
    pub(crate) queues: Known<Vec<QueueView>>,
    pub(crate) plan: Known<PlanView>,
    pub(crate) used: Known<Used>,
    pub(crate) job: Known<(u64, OneJob)>,
}

impl Data {
    /// Takes a new picture.
    pub(crate) fn see(&mut self, map: Arc<MapView>) {
        let has_moved = self.map.as_ref().is_none_or(|old| {
            let place = |view: &MapView, index: usize| {
                view.nodes.get(index).map(|node| (node.name.clone(), node.domains.clone()))
            };
            let count = old.nodes.len().max(map.nodes.len());
            (0..count).any(|index| place(old, index) != place(&map, index))
        });
        if has_moved {
            self.order = (0..map.nodes.len()).collect();
            self.order.sort_by_cached_key(|&index| {
                let node = &map.nodes[index];
                let domains: Vec<_> =
                    node.domains.iter().map(|name| words::natural(name)).collect();
                (domains, words::natural(&node.name))
            });
        }
        self.map = Some(map);
        self.link = Link::Live;
    }

    /// Notes that the server is out of sight, since when it was not before.
    pub(crate) fn lose(&mut self, failure: Failure, now: Time) {
        let since = match self.link {
            Link::Lost { since, .. } => since,
            _ => now,
        };
        self.link = Link::Lost { since, failure };
    }
}
