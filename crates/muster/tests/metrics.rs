//! A real Prometheus beside a real cluster: what is packaged for it loads, finds its metrics, and
//! raises the alarm.

#[path = "up/cluster.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod cluster;
#[path = "metrics/packaged.rs"]
mod packaged;
#[path = "support/patience.rs"]
mod patience;
#[path = "metrics/prometheus.rs"]
mod prometheus;
#[path = "metrics/watching.rs"]
mod watching;
