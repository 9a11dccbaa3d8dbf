//! Where the tasks of a step go among the places of its job. Pure: the same request and the same
//! rooms give the same layout.

mod gpus;

use muster_api::step::{StepDistribution, StepRequest, StepTask};
use muster_model::count::several;
use muster_model::{GpuSet, Invalid, Name};
use serde::{Deserialize, Serialize};

/// What a job has on one of its nodes, and what its steps use of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) name: Name,
    /// Thousandths of CPUs; any number if 0.
    pub(crate) cpus_milli: u64,
    pub(crate) gpus: GpuSet,
    /// MiB; any amount if 0.
    pub(crate) memory_mib: u64,
    pub(crate) used: Takes,
}

impl Room {
    /// Nothing of a node.
    pub(crate) fn new(name: Name) -> Room {
        let (gpus, used) = (GpuSet::EMPTY, Takes::default());
        Room { name, cpus_milli: 0, gpus, memory_mib: 0, used }
    }
}

/// What a step keeps others from using on a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Takes {
    /// All CPUs, however many there are.
    pub(crate) all_cpus: bool,
    pub(crate) cpus_milli: u64,
    pub(crate) gpus: GpuSet,
    pub(crate) memory_mib: u64,
}

/// A step's part on one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LaidPart {
    /// Which of the rooms.
    pub(crate) room: usize,
    pub(crate) tasks: Vec<StepTask>,
    pub(crate) gpus: GpuSet,
    pub(crate) takes: Takes,
}

/// Why a step does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// It is more than the job has.
    Never(Invalid),
    /// Other steps have what it needs.
    Busy,
}

/// Lays a step out.
pub(crate) fn lay_out(request: &StepRequest, rooms: &[Room]) -> Result<Vec<LaidPart>, Misfit> {
    let blank: Vec<Room> =
        rooms.iter().map(|room| Room { used: Takes::default(), ..room.clone() }).collect();
    let alone = Laying { request, rooms: &blank }.lay().map_err(Misfit::Never)?;
    if request.overlap {
        let takes = Takes::default();
        return Ok(alone.into_iter().map(|part| LaidPart { takes, ..part }).collect());
    }
    Laying { request, rooms }.lay().map_err(|_| Misfit::Busy)
}

struct Laying<'a> {
    request: &'a StepRequest,
    rooms: &'a [Room],
}

impl Laying<'_> {
    fn lay(&self) -> Result<Vec<LaidPart>, Invalid> {
        if let StepDistribution::Arbitrary(names) = &self.request.distribution {
            return self.parts(self.arbitrary(names)?);
        }
        let candidates = self.candidates()?;
        let (tasks, nodes) = self.size(&candidates)?;
        let has_room = |room: &&usize| self.capacity(**room) > 0;
        let chosen: Vec<usize> = candidates.iter().filter(has_room).take(nodes).copied().collect();
        if chosen.len() < nodes {
            let allowed = format!("expected at most {}, which the job has for it", chosen.len());
            return Err(Invalid::new("nodes", nodes.to_string(), allowed));
        }
        let counts = self.counts(&chosen, tasks)?;
        self.parts(self.ranks(&chosen, &counts))
    }

    /// The nodes it may use, those it names first.
    fn candidates(&self) -> Result<Vec<usize>, Invalid> {
        let size = &self.request.size;
        let place = |field: &'static str, name: &String| {
            let found = self.rooms.iter().position(|room| room.name.as_str() == name.as_str());
            found.ok_or_else(|| Invalid::new(field, name.clone(), "expected nodes of the job"))
        };
        let named: Vec<usize> =
            size.nodelist.iter().map(|name| place("nodelist", name)).collect::<Result<_, _>>()?;
        let relative = size.relative.map_or(Ok(0), |first| {
            let found = usize::try_from(first).ok().filter(|first| *first < self.rooms.len());
            let allowed = format!("expected less than {}, the nodes it has", self.rooms.len());
            found.ok_or_else(|| Invalid::new("relative", first.to_string(), allowed))
        })?;
        let is_excluded = |room: &usize| {
            size.exclude.iter().any(|name| self.rooms[*room].name.as_str() == name.as_str())
        };
        let mut nodes: Vec<usize> = (0..self.rooms.len()).filter(|it| named.contains(it)).collect();
        nodes.extend((relative..self.rooms.len()).filter(|room| !named.contains(room)));
        nodes.retain(|room| !is_excluded(room));
        Ok(nodes)
    }

    /// How many tasks on how many nodes.
    fn size(&self, candidates: &[usize]) -> Result<(u32, usize), Invalid> {
        let size = &self.request.size;
        let named = Some(size.nodelist.len()).filter(|named| *named > 0);
        let asked = size.nodes.and_then(|nodes| usize::try_from(nodes).ok()).or(named);
        let nodes = asked.unwrap_or_else(|| match size.tasks {
            None => candidates.len(),
            Some(tasks) => self.fewest(candidates, tasks),
        });
        let each = size.tasks_per_node.filter(|_| size.tasks.is_none()).unwrap_or(1);
        let tasks = match size.tasks {
            Some(tasks) => tasks,
            None => u32::try_from(nodes).unwrap_or(u32::MAX).saturating_mul(each),
        };
        if tasks == 0 || nodes == 0 {
            return Err(Invalid::new("tasks", tasks.to_string(), "expected at least one task"));
        }
        Ok((tasks, nodes.min(usize::try_from(tasks).unwrap_or(usize::MAX))))
    }

    /// The fewest nodes, in their order, that have room for so many tasks.
    fn fewest(&self, candidates: &[usize], tasks: u32) -> usize {
        let mut left = u64::from(tasks);
        let mut nodes = 0;
        for room in candidates {
            if left == 0 {
                break;
            }
            let capacity = u64::from(self.capacity(*room));
            nodes += usize::from(capacity > 0);
            left = left.saturating_sub(capacity);
        }
        nodes.max(1)
    }

    /// How many tasks a node has room for.
    fn capacity(&self, room: usize) -> u32 {
        let (room, size) = (&self.rooms[room], &self.request.size);
        let is_whole = !self.request.exact;
        if room.used.all_cpus || (is_whole && room.used.cpus_milli > 0) {
            return 0;
        }
        let mut most = size.tasks_per_node.unwrap_or(u32::MAX);
        if room.cpus_milli > 0 && !self.request.overcommit {
            let free = room.cpus_milli.saturating_sub(room.used.cpus_milli);
            most = most.min(u32::try_from(free / self.task_cpus()).unwrap_or(u32::MAX));
        }
        if let Some(gpus) = size.gpus_per_task.filter(|gpus| *gpus > 0) {
            most = most.min(gpus::free(room).count() / gpus);
        }
        most
    }

    fn task_cpus(&self) -> u64 {
        u64::from(self.request.size.cpus_per_task.unwrap_or(1).max(1)) * 1000
    }

    /// How many tasks each node gets: dealt out in turns, as far as there is room.
    fn counts(&self, chosen: &[usize], tasks: u32) -> Result<Vec<u32>, Invalid> {
        let most: Vec<u32> = chosen.iter().map(|room| self.capacity(*room)).collect();
        let room: u64 = most.iter().map(|most| u64::from(*most)).sum();
        if u64::from(tasks) > room {
            let allowed = format!("expected at most {room}, for which the job has CPUs and GPUs");
            return Err(Invalid::new("tasks", tasks.to_string(), allowed));
        }
        let turn = match self.request.distribution {
            StepDistribution::Plane(size) => size.max(1),
            _ => 1,
        };
        let mut counts = vec![0; chosen.len()];
        let mut left = tasks;
        // Each turn deals out at least one task, for there is room for all.
        while left > 0 {
            for (count, most) in counts.iter_mut().zip(&most) {
                let dealt = turn.min(left).min(most - *count);
                *count += dealt;
                left -= dealt;
            }
        }
        Ok(counts)
    }

    /// Which ranks each node gets.
    fn ranks(&self, chosen: &[usize], counts: &[u32]) -> Vec<(usize, Vec<u32>)> {
        let turn = match self.request.distribution {
            StepDistribution::Cyclic => 1,
            StepDistribution::Plane(size) => size.max(1),
            _ => u32::MAX,
        };
        let mut parts: Vec<(usize, Vec<u32>)> =
            chosen.iter().map(|room| (*room, Vec::new())).collect();
        let mut left = counts.to_vec();
        let mut next = 0;
        while left.iter().any(|left| *left > 0) {
            for ((_, ranks), left) in parts.iter_mut().zip(&mut left) {
                let dealt = turn.min(*left);
                ranks.extend(next..next + dealt);
                next += dealt;
                *left -= dealt;
            }
        }
        parts
    }

    /// One name for each task.
    fn arbitrary(&self, names: &[String]) -> Result<Vec<(usize, Vec<u32>)>, Invalid> {
        let mut parts: Vec<(usize, Vec<u32>)> = Vec::new();
        for (rank, name) in (0..).zip(names) {
            let found = self.rooms.iter().position(|room| room.name.as_str() == name.as_str());
            let room = found.ok_or_else(|| {
                Invalid::new("distribution", name.clone(), "expected nodes of the job")
            })?;
            match parts.iter_mut().find(|(known, _)| *known == room) {
                Some((_, ranks)) => ranks.push(rank),
                None => parts.push((room, vec![rank])),
            }
        }
        let fits = |(room, ranks): &(usize, Vec<u32>)| {
            u32::try_from(ranks.len()).is_ok_and(|count| count <= self.capacity(*room))
        };
        let is_good = !parts.is_empty() && parts.iter().all(fits);
        let allowed = "expected tasks for which the job has CPUs and GPUs";
        let tasks = || several(names.len() as u64, "task");
        is_good.then_some(parts).ok_or_else(|| Invalid::new("distribution", tasks(), allowed))
    }

    fn parts(&self, ranks: Vec<(usize, Vec<u32>)>) -> Result<Vec<LaidPart>, Invalid> {
        let nodes = u32::try_from(ranks.len()).unwrap_or(u32::MAX);
        (0..)
            .zip(ranks)
            .map(|(index, (room, ranks))| self.part(room, &ranks, (index, nodes)))
            .collect()
    }

    /// A part on one node, which is so many in a row of so many.
    fn part(&self, at: usize, ranks: &[u32], turn: (u32, u32)) -> Result<LaidPart, Invalid> {
        let (room, request) = (&self.rooms[at], self.request);
        let count = u32::try_from(ranks.len()).unwrap_or(u32::MAX);
        let (gpus, taken) = gpus::of_part(request, room, count, turn)?;
        let memory = request.size.memory_mib.unwrap_or_default();
        let free = room.memory_mib.saturating_sub(room.used.memory_mib);
        if room.memory_mib > 0 && memory > free {
            let allowed = format!("expected at most {free} MiB on node {}", room.name);
            return Err(Invalid::new("memory", format!("{memory} MiB"), allowed));
        }
        let is_exact = request.exact;
        let cpus_milli = if is_exact { self.task_cpus() * u64::from(count) } else { 0 };
        let takes = Takes { all_cpus: !is_exact, cpus_milli, gpus: taken, memory_mib: memory };
        let limit = match (is_exact, room.cpus_milli) {
            (_, 0) => 0,
            (true, _) => self.task_cpus(),
            (false, all) => all,
        };
        let memory_mib = if memory > 0 { memory } else { room.memory_mib };
        let tasks = (0..).zip(ranks).map(|(local_rank, rank)| StepTask {
            rank: *rank,
            local_rank,
            gpus: gpus::of_task(&request.gpu_binding, gpus, local_rank),
            cpus_milli: limit,
            memory_mib,
        });
        Ok(LaidPart { room: at, tasks: tasks.collect(), gpus, takes })
    }
}

#[cfg(test)]
mod tests;
