//! Nodes, queues, policy and bookings.

use muster_api::Identity;
use muster_api::view::{AlertView, AuditView, BookingView, ClusterView, NodeView, QueueView};
use muster_model::{Booking, ClusterSpec, QueueSpec};
use reqwest::Method;

use crate::{Client, Error};

impl Client {
    /// The cluster at a glance.
    pub async fn cluster(&self) -> Result<ClusterView, Error> {
        self.ask(self.request(Method::GET, &["cluster"], &[])).await
    }

    /// All nodes.
    pub async fn nodes(&self) -> Result<Vec<NodeView>, Error> {
        self.list(&["nodes"], &[], None).await
    }

    /// Keeps new work off a node.
    pub async fn drain(&self, node: &str) -> Result<(), Error> {
        self.tell(self.request(Method::POST, &["nodes", node, "drain"], &[])).await
    }

    /// Lets new work onto a node again.
    pub async fn resume(&self, node: &str) -> Result<(), Error> {
        self.tell(self.request(Method::POST, &["nodes", node, "resume"], &[])).await
    }

    /// Forgets a node that is gone.
    pub async fn forget(&self, node: &str) -> Result<(), Error> {
        self.tell(self.request(Method::POST, &["nodes", node, "forget"], &[])).await
    }

    /// Alerts that fire, then those that did lately.
    pub async fn alerts(&self) -> Result<Vec<AlertView>, Error> {
        self.list(&["alerts"], &[], None).await
    }

    /// All queues.
    pub async fn queues(&self) -> Result<Vec<QueueView>, Error> {
        self.list(&["queues"], &[], None).await
    }

    /// Makes or changes a queue.
    pub async fn set_queue(&self, queue: &QueueSpec) -> Result<(), Error> {
        let name = queue.name.to_string();
        self.tell(self.request(Method::PUT, &["queues", &name], &[]).json(queue)).await
    }

    /// Everything that is configured: levels, classes, queues, policy.
    pub async fn policy(&self) -> Result<ClusterSpec, Error> {
        self.ask(self.request(Method::GET, &["policy"], &[])).await
    }

    /// Configures everything anew.
    pub async fn set_policy(&self, spec: &ClusterSpec) -> Result<(), Error> {
        self.tell(self.request(Method::PUT, &["policy"], &[]).json(spec)).await
    }

    /// Nodes that are set aside.
    pub async fn bookings(&self) -> Result<Vec<BookingView>, Error> {
        self.list(&["bookings"], &[], None).await
    }

    /// Sets nodes aside.
    pub async fn book(&self, booking: &Booking) -> Result<(), Error> {
        let name = booking.name.as_str();
        self.tell(self.request(Method::PUT, &["bookings", name], &[]).json(booking)).await
    }

    /// Takes a booking back.
    pub async fn unbook(&self, name: &str) -> Result<(), Error> {
        self.tell(self.request(Method::DELETE, &["bookings", name], &[])).await
    }

    /// What people changed or tried to change, newest first; at most so much of it.
    pub async fn audit(&self, most: Option<usize>) -> Result<Vec<AuditView>, Error> {
        self.list_by("before", &["audit"], &[], most).await
    }

    /// Who the server takes this client's user for.
    pub async fn whoami(&self) -> Result<Identity, Error> {
        self.ask(self.request(Method::GET, &["whoami"], &[])).await
    }
}
