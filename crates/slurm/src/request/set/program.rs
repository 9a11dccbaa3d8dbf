//! Options about the program, its files and its container.

use crate::error::Refusal;
use crate::request::{Container, Request, Run};
use crate::values::{Binding, BindingKind};

pub(super) fn set(request: &mut Request, name: &str, value: &str) -> Result<bool, Refusal> {
    if container(&mut request.container, name, value)? || run(&mut request.run, name, value)? {
        return Ok(true);
    }
    let layout = &mut request.layout;
    match name {
        "distribution" => layout.distribution = Some(value.parse()?),
        "cpu-bind" => layout.cpu_bind = Some(Binding::read(BindingKind::Cpu, value)?),
        "mem-bind" => layout.mem_bind = Some(Binding::read(BindingKind::Memory, value)?),
        "gpu-bind" => layout.gpu_bind = Some(Binding::read(BindingKind::Gpu, value)?),
        "hint" => layout.hint = Some(value.parse()?),
        _ => return Ok(false),
    }
    Ok(true)
}

fn run(run: &mut Run, name: &str, value: &str) -> Result<bool, Refusal> {
    match name {
        "chdir" => run.directory = Some(value.to_owned()),
        "output" => run.output = Some(value.parse()?),
        "error" => run.error = Some(value.parse()?),
        "input" => run.input = Some(value.parse()?),
        "open-mode" => run.open_mode = Some(value.parse()?),
        "export" => run.export = Some(value.parse()?),
        "requeue" => run.requeue = Some(true),
        "no-requeue" => run.requeue = Some(false),
        "signal" => run.signal = Some(value.parse()?),
        "mail-type" => run.mail_types = Some(value.parse()?),
        "mail-user" => run.mail_user = Some(value.to_owned()),
        "wrap" => run.wrap = Some(value.to_owned()),
        _ => return Ok(false),
    }
    Ok(true)
}

fn container(container: &mut Container, name: &str, value: &str) -> Result<bool, Refusal> {
    match name {
        "container-image" => container.image = Some(value.to_owned()),
        "container-mounts" => container.mounts = value.parse()?,
        "container-workdir" => container.workdir = Some(value.to_owned()),
        "container-env" => {
            container.environment = value.split(',').map(|name| name.trim().to_owned()).collect();
        }
        "container-mount-home" => container.mount_home = Some(true),
        "no-container-mount-home" => container.mount_home = Some(false),
        "container-remap-root" => container.remap_root = Some(true),
        "no-container-remap-root" => container.remap_root = Some(false),
        "container-entrypoint" => container.entrypoint = Some(true),
        "no-container-entrypoint" => container.entrypoint = Some(false),
        "container-writable" => container.writable = Some(true),
        "container-readonly" => container.writable = Some(false),
        _ => return Ok(false),
    }
    Ok(true)
}
