//! Who comes, and in which order the nodes are looked at: all that is drawn by the seed.
//!
//! As in the published experiment: the list in random order; then pods drawn from it again and
//! again until the next would exceed what is to arrive, or, where the list asks for more, pods
//! taken out at random until it does not.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::Experiment;

impl Experiment {
    /// Pods by number in the order in which they come.
    pub(super) fn arrivals(&self, rng: &mut ChaCha8Rng) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.pods.len()).collect();
        let Some(percent) = self.arrived_percent else { return order };
        shuffle(&mut order, rng);
        let installed: u64 = self.declared.nodes.iter().map(|node| u64::from(node.gpus)).sum();
        let wanted = installed * u64::from(super::node::WHOLE) * u64::from(percent) / 100;
        let mut asked: u64 = self.pods.iter().map(super::Pod::milli_in_all).sum();
        if asked == 0 {
            return order;
        }
        if asked > wanted {
            while asked > wanted {
                let gone = order.remove(rng.random_range(0..order.len()));
                asked -= self.pods[gone].milli_in_all();
            }
            return order;
        }
        // Ends because some pod asks for GPUs, and is drawn sooner or later.
        loop {
            let next = rng.random_range(0..self.pods.len());
            if asked + u64::from(self.pods[next].milli) > wanted {
                return order;
            }
            asked += self.pods[next].milli_in_all();
            order.push(next);
        }
    }

    /// Nodes by number in the order that decides among equals.
    pub(super) fn node_order(&self, rng: &mut ChaCha8Rng) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.declared.nodes.len()).collect();
        shuffle(&mut order, rng);
        order
    }
}

fn shuffle(order: &mut [usize], rng: &mut ChaCha8Rng) {
    for last in (1..order.len()).rev() {
        order.swap(last, rng.random_range(0..=last));
    }
}
