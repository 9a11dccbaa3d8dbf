//! Writing a booking in a few lines: a name and a start, then the nodes and who may use them.

use crate::booking::{BookedPlace, Booking, Leftovers};
use crate::name::{Name, QueueName};
use crate::unit::Time;

impl Booking {
    /// A booking for nobody, without an end and without nodes yet.
    ///
    /// ```
    /// use muster_model::{Booking, Time};
    ///
    /// let maintenance = Booking::new("cooling", Time(1000)).until(Time(5000)).domain(["r1"]);
    /// assert!(maintenance.is_for_nobody());
    /// assert!(!maintenance.user("user-a").is_for_nobody());
    /// ```
    pub fn new(name: &str, start: Time) -> Booking {
        Booking {
            name: Name::from(name),
            users: Vec::new(),
            queues: Vec::new(),
            places: Vec::new(),
            start,
            end: None,
            leftovers: Leftovers::Wait,
        }
    }

    /// With an end.
    #[must_use]
    pub fn until(mut self, end: Time) -> Booking {
        self.end = Some(end);
        self
    }

    /// With one more node.
    #[must_use]
    pub fn node(mut self, name: &str) -> Booking {
        self.places.push(BookedPlace::Node(Name::from(name)));
        self
    }

    /// With all nodes of one more domain, named from the widest level down.
    #[must_use]
    pub fn domain<const N: usize>(mut self, path: [&str; N]) -> Booking {
        self.places.push(BookedPlace::Domain(path.map(Name::from).to_vec()));
        self
    }

    /// For one more user.
    #[must_use]
    pub fn user(mut self, user: &str) -> Booking {
        self.users.push(Name::from(user));
        self
    }

    /// For one more queue and those below it.
    #[must_use]
    pub fn queue(mut self, queue: &str) -> Booking {
        self.queues.push(QueueName::from(queue));
        self
    }

    /// Jobs that are still there when it starts are stopped and start again elsewhere.
    #[must_use]
    pub fn requeue_leftovers(mut self) -> Booking {
        self.leftovers = Leftovers::Requeue;
        self
    }
}
