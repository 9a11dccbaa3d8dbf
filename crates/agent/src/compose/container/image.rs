//! Images as each runtime names them. People write them as registries do, `nvcr.io/a/b:1`, as
//! enroot does, `nvcr.io#a/b:1`, or as a file.

use super::Kind;

/// What this runtime calls an image; nothing where it cannot run it.
pub(super) fn named(kind: Kind, image: &str) -> Option<String> {
    let ends = |endings: &[&str]| endings.iter().any(|ending| image.ends_with(ending));
    let is_squashed = ends(&[".sqsh", ".squashfs"]);
    let is_file = image.starts_with(['/', '.']) || is_squashed || ends(&[".sif"]);
    let plain = image.strip_prefix("docker://").unwrap_or(image).replacen('#', "/", 1);
    match kind {
        Kind::Podman | Kind::Docker => (!is_file).then_some(plain),
        Kind::Apptainer if is_file => Some(image.to_owned()),
        Kind::Apptainer if plain.contains("://") => Some(plain),
        Kind::Apptainer => Some(format!("docker://{plain}")),
        // It starts what was imported before, by its name or as a file.
        Kind::Enroot => {
            let is_known = is_squashed || !(image.contains(['#', '/']) || ends(&[".sif"]));
            is_known.then(|| image.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Kind::{Apptainer, Docker, Enroot, Podman};
    use super::named;

    #[test]
    fn images_are_spelt_as_the_runtime_reads_them() {
        let cases = [
            (Podman, "nvcr.io#nvidia/pytorch:24.01", Some("nvcr.io/nvidia/pytorch:24.01")),
            (Docker, "docker://ubuntu:24.04", Some("ubuntu:24.04")),
            (Podman, "localhost/vision:2", Some("localhost/vision:2")),
            (Podman, "/images/vision.sqsh", None),
            (
                Apptainer,
                "nvcr.io#nvidia/pytorch:24.01",
                Some("docker://nvcr.io/nvidia/pytorch:24.01"),
            ),
            (Apptainer, "library://vision", Some("library://vision")),
            (Apptainer, "/images/vision.sif", Some("/images/vision.sif")),
            (Enroot, "/images/vision.sqsh", Some("/images/vision.sqsh")),
            (Enroot, "vision", Some("vision")),
            (Enroot, "nvcr.io#nvidia/pytorch:24.01", None),
        ];
        for (kind, image, expected) in cases {
            assert_eq!(named(kind, image).as_deref(), expected, "{kind:?} {image}");
        }
    }
}
