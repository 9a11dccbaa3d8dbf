//! The environment of a task: a clean one, what the job adds, and what Muster tells it.

use std::collections::BTreeMap;

use muster_model::GpuSet;

use super::{Asked, Ground, slurm};

/// Where programs are looked for.
pub(super) const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The variable that names the file by which a program says that it has saved. It is different for
/// every task, so it also tells whose a process is.
pub const SAVED_FILE: &str = "MUSTER_SAVED_FILE";

/// All variables of a task. What Muster says of itself cannot be overwritten by the job.
pub fn of(ground: &Ground, asked: Asked<'_>) -> BTreeMap<String, String> {
    let person = asked.person;
    let home = person.home.display().to_string();
    let clean: [(&str, &str); 6] = [
        ("PATH", PATH),
        ("HOME", &home),
        ("USER", &person.name),
        ("LOGNAME", &person.name),
        ("SHELL", &person.shell),
        ("LANG", "C.UTF-8"),
    ];
    let clean = clean.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    let given = asked.run.program.environment.clone();
    let told = told(ground, asked);
    let mut all = clean.chain(given).chain(slurm::script(asked)).chain(told).collect();
    ground.cluster.tell(asked.run, asked.folder, &mut all);
    all
}

fn told(ground: &Ground, asked: Asked<'_>) -> Vec<(String, String)> {
    let Asked { of, run, duty, folder, .. } = asked;
    let gang = &run.gang;
    let places = asked.places().iter().map(|place| place.place.gpus);
    let gpus = places.fold(GpuSet::EMPTY, GpuSet::or);
    let gpus: Vec<&str> = gpus.iter().filter_map(|gpu| ground.gpu(gpu)).collect();
    let mut told = vec![
        ("MUSTER_JOB_ID", of.job.0.to_string()),
        ("MUSTER_JOB_NAME", gang.name.to_string()),
        ("MUSTER_ATTEMPT", of.attempt.0.to_string()),
        ("MUSTER_RESTARTS", gang.restarts.to_string()),
        ("MUSTER_TASK_RANK", duty.rank.to_string()),
        ("MUSTER_NODE", ground.node.clone()),
        ("MUSTER_QUEUE", gang.queue.to_string()),
        (SAVED_FILE, folder.join("saved").display().to_string()),
        ("MUSTER_PROGRESS_FILE", folder.join("progress").display().to_string()),
        // Without GPUs of its own a task sees none.
        ("CUDA_VISIBLE_DEVICES", gpus.join(",")),
    ];
    if let Some(element) = gang.element {
        told.push(("MUSTER_ARRAY_ID", element.array.0.to_string()));
        told.push(("MUSTER_ARRAY_INDEX", element.index.to_string()));
    }
    if let Some(checkpoints) = &ground.checkpoints {
        let folder = checkpoints.join(of.job.0.to_string());
        told.push(("MUSTER_CHECKPOINT_DIR", folder.display().to_string()));
    }
    // Where one program has all places, nothing else of the gang runs that it could meet.
    let is_gang = gang.tasks > 1 && run.program.runs.is_everywhere();
    if let Some(meet) = gang.rendezvous.as_ref().filter(|_| is_gang) {
        told.push(("MASTER_ADDR", meet.address.clone()));
        told.push(("MASTER_PORT", meet.port.to_string()));
    }
    if is_gang {
        told.push(("RANK", duty.rank.to_string()));
        told.push(("WORLD_SIZE", gang.tasks.to_string()));
        told.push(("LOCAL_RANK", duty.local_rank.to_string()));
        told.push(("NODE_RANK", gang.node_rank.to_string()));
    }
    told.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

impl Ground {
    pub(super) fn gpu(&self, index: u32) -> Option<&str> {
        self.gpus.get(usize::try_from(index).ok()?).map(String::as_str)
    }
}
