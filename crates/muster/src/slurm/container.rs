//! The container that a request means, in the words of pyxis.

use std::path::{Component, Path, PathBuf};

use muster_api::program::{Container, Mount};
use muster_slurm::Request;
use muster_slurm::values;

use crate::cli::person::Person;

/// What is special about the container; nothing where it is as the runtime makes it. What cannot
/// be done is refused by its name.
pub(super) fn of(request: &Request, person: &Person) -> Result<Option<Box<Container>>, String> {
    let asked = &request.container;
    let mounts = asked.mounts.0.iter().map(|mount| self::mount(mount, person));
    let container = Container {
        mounts: mounts.collect::<Result<Vec<Mount>, String>>()?,
        workdir: asked.workdir.clone(),
        environment: asked.environment.clone(),
        mount_home: asked.mount_home,
        remap_root: asked.remap_root,
        entrypoint: asked.entrypoint,
        writable: asked.writable,
    };
    container.validate().map_err(|wrong| {
        let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        wrong.join("; ")
    })?;
    Ok((container != Container::default()).then(|| Box::new(container)))
}

fn mount(mount: &values::Mount, person: &Person) -> Result<Mount, String> {
    let mut read_only = false;
    for flag in mount.flags.iter().flat_map(|flags| flags.split('+')) {
        match flag {
            "ro" => read_only = true,
            "rw" => read_only = false,
            // All mounts are so.
            "rbind" => {}
            other => {
                return Err(format!(
                    "--container-mounts: Muster does not know the flag {other} of {}\nhint: `ro` \
                     and `rw` are known",
                    mount.target
                ));
            }
        }
    }
    let is_path = mount.source.starts_with(['/', '.']);
    if !is_path {
        let source = &mount.source;
        return Err(format!("--container-mounts: {source} is no folder or file of the nodes"));
    }
    let source = Path::new(&person.directory).join(&mount.source);
    let source: PathBuf =
        source.components().filter(|part| !matches!(part, Component::CurDir)).collect();
    Ok(Mount { source: source.display().to_string(), target: mount.target.clone(), read_only })
}

#[cfg(test)]
mod tests {
    use muster_api::program::Container;
    use muster_slurm::{Command, Request};

    use super::of;
    use crate::cli::person::Person;

    fn read(words: &[&str]) -> Result<Option<Box<Container>>, String> {
        let words = words.iter().map(|&word| word.to_owned()).chain(["--container-image=i".into()]);
        let reading = Request::from_words(Command::Sbatch, words.collect::<Vec<String>>());
        let mut person = Person::present().expect("somebody runs this test");
        person.directory = "/people/user-a".to_owned();
        of(&reading.expect("good options").request, &person)
    }

    #[test]
    fn mounts_and_folders_are_taken_over() {
        let words = ["--container-mounts=/data:/mnt:ro,./sets:/sets", "--container-workdir=/mnt"];
        let container = read(&words).expect("good").expect("not usual");
        assert!(container.mounts[0].read_only && !container.mounts[1].read_only);
        assert_eq!(container.mounts[1].source, "/people/user-a/sets");
        assert_eq!(container.workdir.as_deref(), Some("/mnt"));
        assert_eq!(read(&[]), Ok(None));
    }

    #[test]
    fn flags_that_would_be_ignored_are_refused() {
        for bad in ["/a:/b:x-detach", "tmpfs:/scratch", "/a:b"] {
            let said = read(&[&format!("--container-mounts={bad}")]);
            assert!(said.is_err(), "{bad}: {said:?}");
        }
    }
}
