//! What the node has: CPUs and memory by the kernel's word, GPUs as declared or by the driver's.

mod nvml;

use muster_model::{GpuModel, Invalid, Mib, MilliCpu, Name, NodeSpec};

use crate::settings::Settings;

/// The node as it is announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discovered {
    /// What it has.
    pub spec: NodeSpec,
    /// How tasks name each GPU, by index.
    pub gpus: Vec<String>,
    /// What people should know about how this was found.
    pub notes: Vec<String>,
}

/// The node cannot be described.
#[derive(Debug, thiserror::Error)]
pub enum DiscoveryError {
    /// The setting `gpus` makes no sense.
    #[error(
        "gpus: `{given}` is not `auto`, `none`, or a model and a number such as H100x8 ({why})"
    )]
    Gpus {
        /// What was given.
        given: String,
        /// What is wrong with it.
        why: String,
    },
    /// A name cannot be used.
    #[error(transparent)]
    Name(#[from] Invalid),
    /// There is a GPU of a kind that Muster does not know.
    #[error("the GPU `{0}` is of no model that Muster knows; declare it: --gpus MODELxNUMBER")]
    Model(String),
}

/// The GPUs of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Gpus {
    model: Option<String>,
    names: Vec<String>,
    notes: Vec<String>,
}

/// Looks at the machine.
pub fn discover(settings: &Settings) -> Result<Discovered, DiscoveryError> {
    let name = settings.name.clone().unwrap_or_else(host_name);
    let name = Name::new(&name)?;
    let gpus = match settings.gpus.as_str() {
        "none" => Gpus::default(),
        "auto" => seen()?,
        declared => declare(declared)?,
    };
    let count = u32::try_from(gpus.names.len()).unwrap_or(u32::MAX);
    let all_cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let cpus = settings.cpus.unwrap_or_else(|| u64::try_from(all_cpus).unwrap_or(1));
    let memory = settings.memory.map_or_else(memory_mib, |memory| memory.0);
    let mut spec = match &gpus.model {
        Some(model) => NodeSpec::new(name.as_str(), model, count),
        None => NodeSpec::without_gpus(name.as_str(), cpus, Mib(memory)),
    };
    spec.cpus = MilliCpu::whole(cpus);
    spec.memory = Mib(memory);
    spec.domains = names(&settings.domains)?;
    spec.pool = settings.pool.as_deref().map(Name::new).transpose()?;
    for (key, value) in &settings.labels {
        spec.labels.insert(Name::new(key)?, Name::new(value)?);
    }
    Ok(Discovered { spec, gpus: gpus.names, notes: gpus.notes })
}

fn names(texts: &[String]) -> Result<Vec<Name>, Invalid> {
    texts.iter().map(|text| Name::new(text)).collect()
}

/// The GPUs that the driver shows, or none and why.
fn seen() -> Result<Gpus, DiscoveryError> {
    match nvml::look() {
        Ok(cards) if cards.is_empty() => Ok(Gpus {
            notes: vec!["the NVIDIA driver shows no GPU; offering CPUs and memory only".to_owned()],
            ..Gpus::default()
        }),
        Ok(cards) => {
            let first = &cards[0];
            let model = model_of(&first.name, first.memory)
                .ok_or_else(|| DiscoveryError::Model(first.name.clone()))?;
            let names = cards.iter().map(|card| card.uuid.clone()).collect();
            Ok(Gpus { model: Some(model), names, notes: Vec::new() })
        }
        Err(why) => Ok(Gpus {
            notes: vec![format!(
                "no GPUs: {why}; to try Muster without any, declare some: --gpus H100x8"
            )],
            ..Gpus::default()
        }),
    }
}

/// Declared GPUs are named by their index: nothing but the count of them need be true.
fn declare(given: &str) -> Result<Gpus, DiscoveryError> {
    let bad = |why: String| DiscoveryError::Gpus { given: given.to_owned(), why };
    let (model, count) =
        given.rsplit_once('x').ok_or_else(|| bad("there is no `x` in it".to_owned()))?;
    let count: u32 = count.parse().map_err(|_| bad(format!("`{count}` is not a number")))?;
    let known = GpuModel::known();
    if !known.iter().any(|it| it.name.as_str() == model) {
        let names: Vec<&str> = known.iter().map(|it| it.name.as_str()).collect();
        return Err(bad(format!("known models are {}", names.join(", "))));
    }
    if count == 0 || count > muster_model::link::GPUS_PER_NODE_MAX {
        let most = muster_model::link::GPUS_PER_NODE_MAX;
        return Err(bad(format!("a node has 1 to {most} GPUs")));
    }
    let names = (0..count).map(|index| index.to_string()).collect();
    Ok(Gpus { model: Some(model.to_owned()), names, notes: Vec::new() })
}

/// The model that a card's own name means: one whose name is a word of it, and among those the
/// one with the nearest memory.
fn model_of(card: &str, memory: Mib) -> Option<String> {
    let words: Vec<&str> = card.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
    let base = |model: &GpuModel| {
        let name = model.name.as_str();
        name.split_once('-').map_or(name, |(base, _)| base).to_owned()
    };
    let known = GpuModel::known();
    let fits = known.iter().filter(|model| words.contains(&base(model).as_str()));
    let nearest = fits.min_by_key(|model| model.memory.0.abs_diff(memory.0))?;
    Some(nearest.name.to_string())
}

fn host_name() -> String {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    // A node goes by the first part of its machine's name.
    name.split('.').next().unwrap_or_default().to_owned()
}

fn memory_mib() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}

#[cfg(test)]
mod tests {
    use muster_model::Mib;

    use super::{declare, discover, model_of};
    use crate::settings::Settings;

    #[test]
    fn cards_are_known_by_a_word_of_their_name_and_their_memory() {
        let model = |name, mib| model_of(name, Mib(mib));
        assert_eq!(model("NVIDIA H200", 143_771).as_deref(), Some("H200"));
        assert_eq!(model("NVIDIA H100 80GB HBM3", 81_559).as_deref(), Some("H100"));
        assert_eq!(model("NVIDIA H100 NVL", 95_830).as_deref(), Some("H100-94"));
        assert_eq!(model("NVIDIA A100-SXM4-40GB", 40_960).as_deref(), Some("A100-40"));
        assert_eq!(model("NVIDIA GeForce 256", 32), None);
    }

    #[test]
    fn declared_gpus_are_named_by_number() {
        let gpus = declare("H100x2").unwrap();
        assert_eq!(
            (gpus.model.as_deref(), gpus.names),
            (Some("H100"), vec!["0".into(), "1".into()])
        );
        for (given, why) in [
            ("H100", "no `x`"),
            ("H100xx", "not a number"),
            ("Zx8", "known models"),
            ("H100x0", "1 to"),
            ("H100x9999", "1 to"),
        ] {
            let error = declare(given).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn a_machine_has_cpus_and_memory_and_what_its_settings_say() {
        let settings = Settings {
            name: Some("node-1".to_owned()),
            gpus: "H100x4".to_owned(),
            cpus: Some(3),
            domains: vec!["rack-1".to_owned()],
            ..Settings::default()
        };
        let found = discover(&settings).unwrap();
        assert_eq!((found.spec.gpus, found.spec.cpus.0), (4, 3000));
        assert!(found.spec.memory.0 > 0);
        assert_eq!(found.spec.domains.len(), 1);
        let named = Settings { name: Some("no good name!".to_owned()), ..settings };
        assert!(discover(&named).is_err());
    }
}
