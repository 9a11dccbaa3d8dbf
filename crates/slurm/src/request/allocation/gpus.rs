//! How many GPUs of which type a request means, by what they are counted.

use super::count::Counts;
use super::{Unit, dealt};
use crate::error::Refusal;
use crate::request::Size;
use crate::request::check::conflict;
use crate::values::Gpus;

/// Numbers of GPUs; their type is the same in all of them.
pub(super) struct GpuNeeds {
    pub(super) model: Option<String>,
    pub(super) per_job: Option<u32>,
    pub(super) per_node: Option<u32>,
    pub(super) per_task: Option<u32>,
}

impl GpuNeeds {
    pub(super) fn of(size: &Size) -> Result<GpuNeeds, Refusal> {
        let gpus = &size.gpus;
        let mut needs = GpuNeeds { model: None, per_job: None, per_node: None, per_task: None };
        needs.per_job = needs.one("--gpus", gpus.per_job.as_ref())?;
        needs.per_task = needs.one("--gpus-per-task", gpus.per_task.as_ref())?;
        let by_gres = needs.one("--gres", gpus.gres.as_ref())?;
        let by_node = needs.one("--gpus-per-node", gpus.per_node.as_ref())?;
        let by_socket = needs.one("--gpus-per-socket", gpus.per_socket.as_ref())?;
        let by_socket =
            by_socket.map(|each| each.saturating_mul(size.sockets_per_node.unwrap_or(1)));
        for (option, count) in
            [("--gres", by_gres), ("--gpus-per-node", by_node), ("--gpus-per-socket", by_socket)]
        {
            let Some(count) = count else { continue };
            if needs.per_node.is_some_and(|other| other != count) {
                let why = "they give different numbers of GPUs for a node";
                return Err(conflict(&["--gres", option], why));
            }
            needs.per_node = Some(count);
        }
        Ok(needs)
    }

    /// The number of one option; its type has to be that of the others.
    fn one(&mut self, option: &str, gpus: Option<&Gpus>) -> Result<Option<u32>, Refusal> {
        let Some(Gpus(types)) = gpus else { return Ok(None) };
        if types.len() > 1 {
            let advice = "ask for one type of GPU, or for any; parts with different GPUs are \
                          groups of a job file"
                .to_owned();
            return Err(Refusal::Unsupported { option: format!("{option} with types"), advice });
        }
        let Some(only) = types.first() else { return Ok(Some(0)) };
        if let (Some(known), Some(model)) = (&self.model, &only.model)
            && known != model
        {
            let why = format!("they ask for {known} and {model}");
            return Err(conflict(&[option, "another option"], &why));
        }
        self.model = self.model.take().or_else(|| only.model.clone());
        Ok(Some(only.count))
    }

    /// Tasks of a node, where the GPUs of both say so.
    pub(super) fn tasks_per_node(&self) -> Option<u32> {
        let per_task = self.per_task.filter(|&each| each > 0)?;
        self.per_node.map(|per_node| per_node / per_task).filter(|&tasks| tasks > 0)
    }

    /// Numbers that are given twice have to agree.
    pub(super) fn check(&self, counts: &Counts) -> Result<(), Refusal> {
        let product = |each: u32, count: u32| u64::from(each) * u64::from(count);
        let differs = |each: Option<u32>, count: u32| {
            let (each, total) = (each?, self.per_job?);
            let product = product(each, count);
            (product != u64::from(total)).then(|| format!("{count} times {each} is not {total}"))
        };
        let by_nodes = differs(self.per_node.filter(|_| counts.unit == Unit::Node), counts.units);
        if let Some(why) = by_nodes {
            return Err(conflict(&["--gpus", "GPUs of each node"], &why));
        }
        if let Some(why) = differs(self.per_task, counts.tasks) {
            return Err(conflict(&["--gpus", "--gpus-per-task"], &why));
        }
        let most = counts.tasks.div_ceil(counts.units);
        if let (Some(per_node), Some(per_task), Unit::Node) =
            (self.per_node, self.per_task, counts.unit)
            && product(per_task, most) > u64::from(per_node)
        {
            let why = format!("{most} tasks with {per_task} GPUs are more than {per_node}");
            return Err(conflict(&["--gpus-per-task", "GPUs of each node"], &why));
        }
        Ok(())
    }

    /// The GPUs of one slice with so many tasks.
    pub(super) fn of_slice(&self, counts: &Counts, tasks: u32, index: u32) -> u32 {
        if let (Some(per_node), Unit::Node) = (self.per_node, counts.unit) {
            return per_node;
        }
        match (self.per_task, self.per_job) {
            (Some(per_task), _) => per_task.saturating_mul(tasks),
            (None, Some(total)) => dealt(total, counts.units, index),
            (None, None) => 0,
        }
    }
}
