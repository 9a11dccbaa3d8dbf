//! What does not go together in a request.

use super::{Container, Request};
use crate::error::Refusal;
use crate::values::{Across, TimeLimit};

/// Every contradiction there is.
pub(super) fn problems(request: &Request) -> Vec<Refusal> {
    let mut problems = Vec::new();
    let when = &request.when;
    if let (Some(TimeLimit::Minutes(limit)), Some(least)) = (when.limit, when.limit_min)
        && least > TimeLimit::Minutes(limit)
    {
        let why = "the shorter limit is the longer one";
        problems.push(conflict(&["--time-min", "--time"], why));
    }
    let is_arbitrary =
        request.layout.distribution.is_some_and(|dealt| dealt.nodes == Across::Arbitrary);
    if is_arbitrary && request.place.nodelist.is_empty() {
        let why = "such a distribution needs the list of nodes";
        problems.push(conflict(&["--distribution=arbitrary", "no --nodelist"], why));
    }
    let container = &request.container;
    if container.image.is_none() && *container != Container::default() {
        let why = "they describe a container, and there is none";
        problems.push(conflict(&["--container options", "no --container-image"], why));
    }
    let size = &request.size;
    if size.sockets_per_node.is_some() != size.gpus.per_socket.is_some() {
        let advice = "name such nodes with --constraint, or give --gpus-per-socket with it";
        problems.push(if size.gpus.per_socket.is_some() {
            let why = "GPUs of sockets need the number of sockets";
            conflict(&["--gpus-per-socket", "no --sockets-per-node"], why)
        } else {
            let option = "--sockets-per-node".to_owned();
            Refusal::Unsupported { option, advice: advice.to_owned() }
        });
    }
    // A step takes its size from the job it is in, where these rules were held to already.
    if request.step.job.is_none() && problems.is_empty() {
        problems.extend(request.allocation().err());
    }
    problems
}

pub(super) fn conflict(options: &[&str], why: &str) -> Refusal {
    let options = options.iter().map(|&option| option.to_owned()).collect();
    Refusal::Conflict { options, why: why.to_owned() }
}
