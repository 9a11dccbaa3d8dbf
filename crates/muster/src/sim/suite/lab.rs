//! Where the figures come from: traces that are read once, replays that are run once, and the list
//! of what is not there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;
use muster_sim::replay::{Options, Rules};
use muster_trace::{Cluster, ReadOptions, Trace};

use super::super::run::Run;
use super::super::setup::replay;
use super::cases::Case;

/// Reads, runs and remembers.
#[derive(Debug)]
pub(super) struct Lab {
    folder: PathBuf,
    pub(super) seeds: u64,
    pub(super) million: bool,
    traces: BTreeMap<&'static str, Trace>,
    /// Runs of the default policy as it is, by the name of the case.
    defaults: BTreeMap<&'static str, Run>,
    absent: BTreeSet<String>,
}

impl Lab {
    pub(super) fn new(folder: &Path, seeds: u64, million: bool) -> Lab {
        Lab {
            folder: folder.to_owned(),
            seeds,
            million,
            traces: BTreeMap::new(),
            defaults: BTreeMap::new(),
            absent: BTreeSet::new(),
        }
    }

    /// What was not run, and why.
    pub(super) fn left_out(self) -> Vec<String> {
        self.absent.into_iter().collect()
    }

    pub(super) fn leave_out(&mut self, what: impl Into<String>) {
        self.absent.insert(what.into());
    }

    /// A trace of the folder; where it is absent that is noted.
    pub(super) fn trace(&mut self, name: &str, file: &'static str) -> Result<Option<Trace>> {
        if let Some(trace) = self.traces.get(file) {
            return Ok(Some(trace.clone()));
        }
        let path = self.folder.join(file);
        if !path.exists() {
            self.leave_out(format!("{name}: there is no {file} in the folder of traces"));
            return Ok(None);
        }
        let trace = Trace::open(&path, &ReadOptions::default())?;
        self.traces.insert(file, trace.clone());
        Ok(Some(trace))
    }

    pub(super) fn cluster(&self, text: &str) -> Result<Cluster> {
        Ok(Cluster::find(text, &self.folder)?)
    }

    /// A case under the default policy as it is, run once.
    pub(super) fn default_run(&mut self, case: &Case) -> Result<Option<Run>> {
        if let Some(run) = self.defaults.get(case.name) {
            return Ok(Some(run.clone()));
        }
        let run = self.run(case, |_| {})?;
        if let Some(run) = &run {
            self.defaults.insert(case.name, run.clone());
        }
        Ok(run)
    }

    /// A case under the default policy with something changed.
    pub(super) fn run(
        &mut self,
        case: &Case,
        change: impl FnOnce(&mut Options),
    ) -> Result<Option<Run>> {
        let Some(trace) = self.trace(case.name, case.file)? else { return Ok(None) };
        let cluster = self.cluster(case.cluster)?;
        let mut options = Options { check: false, ..Options::new(Rules::muster()) };
        change(&mut options);
        Ok(Some(replay(&trace, &cluster, &options)?.run))
    }
}
