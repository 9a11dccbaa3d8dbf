//! The commands that people give to a cluster. Each has a file of its own that reads its flags,
//! asks the server and prints; `show` turns what comes back into text.

mod activity;
mod alerts;
mod ask;
mod audit;
mod change;
mod classes;
mod completions;
pub(crate) mod connect;
mod each;
mod events;
pub(crate) mod help;
mod job;
mod job_arguments;
mod jobs;
mod journal;
mod login;
mod logs;
mod misuse;
mod node;
mod nodes;
pub(crate) mod person;
mod policy;
pub(crate) mod print;
mod queues;
mod reference;
mod reserve;
mod run;
mod schema;
mod show;
mod status;
mod submit;
mod token;
mod top;
mod usage;
mod why;

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Subcommand;

pub(crate) use misuse::Usage;

/// The login name of whoever runs this process.
pub(crate) fn login_name() -> Result<String> {
    Ok(person::Person::present()?.name)
}

/// What can be asked of a cluster.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Submit(Box<submit::Submit>),
    Run(Box<run::Run>),
    Jobs(Box<jobs::Jobs>),
    Job(job::Job),
    Logs(logs::Logs),
    /// End jobs
    Cancel(ask::Ask),
    /// Keep jobs from starting until they are released
    Hold(ask::Ask),
    /// Let held jobs start
    Release(ask::Ask),
    /// Stop running jobs and start them again in their turn
    Requeue(ask::Ask),
    Change(change::Change),
    Activity(activity::Activity),
    Why(why::Why),
    #[command(visible_alias = "cluster")]
    Status(status::Status),
    Top(top::Top),
    Nodes(nodes::Nodes),
    Node(node::Node),
    Queues(queues::Queues),
    Classes(classes::Classes),
    Policy(policy::Policy),
    Reserve(Box<reserve::Reserve>),
    Events(events::Events),
    Alerts(alerts::Alerts),
    Usage(Box<usage::Usage>),
    Login(login::Login),
    Token(token::Token),
    Audit(audit::Audit),
    Journal(journal::Journal),
    Completions(completions::Completions),
    Schema(schema::Schema),
}

impl Command {
    /// Carries it out. The exit code is the command's own where it has one to say.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match self {
            Command::Completions(completions) => return completions.run(),
            Command::Schema(schema) => return schema.run(),
            Command::Journal(journal) => return journal.run().map(|()| ExitCode::SUCCESS),
            _ => {}
        }
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_all().build().context("cannot wait for the network")?;
        let code = runtime.block_on(self.ask());
        // A thread may still look up a name or read a terminal; nobody waits for it.
        runtime.shutdown_background();
        code
    }

    async fn ask(&self) -> Result<ExitCode> {
        use muster_client::Order;
        match self {
            Command::Submit(submit) => submit.run().await,
            Command::Run(run) => return run.run().await,
            Command::Jobs(jobs) => jobs.run().await,
            Command::Job(job) => job.run().await,
            Command::Logs(logs) => logs.run().await,
            Command::Cancel(ask) => return ask.run(Order::Cancel).await,
            Command::Hold(ask) => return ask.run(Order::Hold).await,
            Command::Release(ask) => return ask.run(Order::Release).await,
            Command::Requeue(ask) => return ask.run(Order::Requeue).await,
            Command::Change(change) => return change.run().await,
            Command::Activity(activity) => activity.run().await,
            Command::Why(why) => why.run().await,
            Command::Status(status) => status.run().await,
            Command::Top(top) => top.run().await,
            Command::Nodes(nodes) => nodes.run().await,
            Command::Node(node) => return node.run().await,
            Command::Queues(queues) => queues.run().await,
            Command::Alerts(alerts) => alerts.run().await,
            Command::Classes(classes) => classes.run().await,
            Command::Policy(policy) => policy.run().await,
            Command::Reserve(reserve) => return reserve.run().await,
            Command::Events(events) => events.run().await,
            Command::Usage(usage) => usage.run().await,
            Command::Login(login) => login.run().await,
            Command::Token(token) => return token.run().await,
            Command::Audit(audit) => audit.run().await,
            Command::Completions(_) | Command::Schema(_) | Command::Journal(_) => Ok(()),
        }?;
        Ok(ExitCode::SUCCESS)
    }
}

/// What to do about an error, where something in its chain knows.
pub(crate) fn hint(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(|cause| {
        let client = cause.downcast_ref::<muster_client::Error>();
        let usage = cause.downcast_ref::<Usage>();
        let screen = cause.downcast_ref::<muster_tui::Error>();
        let past = cause.downcast_ref::<muster_server::replay::ReplayError>();
        client
            .and_then(muster_client::Error::hint)
            .or_else(|| usage?.hint.clone())
            .or_else(|| screen?.hint())
            .or_else(|| past?.hint())
    })
}
