//! Slurm's lists of resources: `billing=8,cpu=8,gres/gpu:a100=4,gres/gpu=4,mem=64G,node=1`.

use muster_model::{Mib, MilliCpu};

use crate::read::cell::{cpus, natural};

/// What is said of a list that cannot be read.
pub(super) const EXPECTED: &str = "a list of resources such as cpu=8,gres/gpu=1,mem=64G,node=1";

/// What a list names, as far as it is of use here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Resources {
    pub(super) gpus: u32,
    /// The models of the GPUs, as the site calls them.
    pub(super) models: Vec<String>,
    pub(super) cpus: Option<MilliCpu>,
    pub(super) memory: Option<Mib>,
    pub(super) nodes: Option<u32>,
}

/// Reads a list; nothing where it is none.
pub(super) fn resources(text: &str) -> Option<Resources> {
    let mut found = Resources::default();
    let (mut total, mut by_model) = (None, 0_u32);
    for part in text.split(',') {
        let (name, value) = part.split_once('=')?;
        let count = || u32::try_from(natural(value)?).ok();
        match name {
            "cpu" => found.cpus = Some(cpus(value)?),
            "mem" => found.memory = Some(value.parse().ok()?),
            "node" => found.nodes = Some(count()?).filter(|&nodes| nodes > 0),
            "gres/gpu" => total = Some(count()?),
            _ => {
                if let Some(model) = name.strip_prefix("gres/gpu:") {
                    by_model = by_model.checked_add(count()?)?;
                    found.models.push(model.to_owned());
                }
            }
        }
    }
    // Sites that count GPUs by model also list the total; some list one of the two only.
    found.gpus = total.unwrap_or(by_model);
    Some(found)
}

#[cfg(test)]
mod tests {
    use muster_model::{Mib, MilliCpu};

    use super::{Resources, resources};

    #[test]
    fn the_total_counts_and_models_are_kept() {
        let text = "billing=96,cpu=32,gres/gpu:a100=8,gres/gpu=8,mem=1.5T,node=2,energy=77";
        let expected = Resources {
            gpus: 8,
            models: vec!["a100".to_owned()],
            cpus: Some(MilliCpu::whole(32)),
            memory: Some(Mib::gib(1536)),
            nodes: Some(2),
        };
        assert_eq!(resources(text), Some(expected));
    }

    #[test]
    fn without_a_total_the_models_are_added() {
        let found = resources("cpu=1,gres/gpu:a100=2,gres/gpu:v100=1").expect("it is a list");
        assert_eq!((found.gpus, found.models.len()), (3, 2));
        assert_eq!(resources("cpu=4,mem=1G").map(|found| found.gpus), Some(0));
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in ["", "gpu", "cpu=many", "gres/gpu=-1", "mem=4XB", "gres/gpu=99999999999"] {
            assert_eq!(resources(text), None, "{text}");
        }
    }
}
