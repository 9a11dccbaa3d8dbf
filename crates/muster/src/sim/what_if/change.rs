//! Nodes that are added to a cluster or taken from it.

use std::str::FromStr;

use anyhow::{Result, bail};
use muster_model::Name;
use muster_trace::Cluster;

use super::super::number::count;

/// So many nodes more or fewer, in a pool or in a cluster that is one whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nodes {
    pool: Option<String>,
    is_more: bool,
    nodes: usize,
}

impl FromStr for Nodes {
    type Err = String;

    fn from_str(text: &str) -> Result<Nodes, String> {
        let error = || "expected a change such as +2, -1 or, of a pool, NAME+2".to_owned();
        let at = text.rfind(['+', '-']).ok_or_else(error)?;
        let (pool, change) = text.split_at(at);
        let nodes = change[1..].parse().ok().filter(|nodes| *nodes > 0).ok_or_else(error)?;
        let pool = Some(pool.to_owned()).filter(|pool| !pool.is_empty());
        Ok(Nodes { pool, is_more: change.starts_with('+'), nodes })
    }
}

impl Nodes {
    /// Changes a cluster; what was done in words.
    pub(super) fn apply(&self, cluster: &mut Cluster) -> Result<String> {
        let pool = self.pool_of(cluster)?;
        let is_there = |at: &usize| cluster.nodes[*at].spec.pool == pool;
        let there: Vec<usize> = (0..cluster.nodes.len()).filter(is_there).collect();
        let Some(&last) = there.last() else { bail!("the cluster has no nodes") };
        if self.is_more {
            for number in 1..=self.nodes {
                let mut node = cluster.nodes[last].clone();
                node.spec.name = free_name(cluster, number);
                cluster.nodes.push(node);
            }
        } else {
            if self.nodes >= there.len() {
                let count = count(there.len() as f64, "node");
                bail!("{} of {count} cannot go\nhint: leave at least one", self.nodes);
            }
            there.iter().rev().take(self.nodes).for_each(|at| drop(cluster.nodes.remove(*at)));
        }
        let size = cluster.nodes.iter().filter(|node| node.spec.pool == pool).count();
        let size = u32::try_from(size).expect("nodes are fewer than 2^32");
        for known in cluster.pools.iter_mut().filter(|known| Some(&known.name) == pool.as_ref()) {
            (known.min, known.max) = (known.min.min(size), size);
        }
        let word = if self.is_more { "more" } else { "fewer" };
        let count = count(self.nodes as f64, &format!("{word} node"));
        Ok(match pool {
            Some(pool) => format!("{count} in pool {pool}"),
            None => count,
        })
    }

    fn pool_of(&self, cluster: &Cluster) -> Result<Option<Name>> {
        let names = || {
            let names = cluster.pools.iter().map(|pool| pool.name.as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        match &self.pool {
            None if cluster.pools.len() > 1 => {
                bail!("the cluster has pools\nhint: name one, as in NAME+2: {}", names())
            }
            None => Ok(cluster.pools.first().map(|pool| pool.name.clone())),
            Some(wanted) => {
                let found = cluster.pools.iter().find(|pool| pool.name.as_str() == wanted);
                let Some(pool) = found else {
                    let hint = if cluster.pools.is_empty() {
                        "the cluster has no pools: write +2".to_owned()
                    } else {
                        format!("expected one of {}", names())
                    };
                    bail!("there is no pool {wanted}\nhint: {hint}");
                };
                Ok(Some(pool.name.clone()))
            }
        }
    }
}

/// A name that no node has.
fn free_name(cluster: &Cluster, number: usize) -> Name {
    let is_taken = |name: &str| cluster.nodes.iter().any(|node| node.spec.name.as_str() == name);
    let mut number = number;
    // Ends because there are more numbers than nodes.
    loop {
        let name = format!("added-{number}");
        if !is_taken(&name) {
            return Name::from(name.as_str());
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use muster_trace::Cluster;

    use super::Nodes;

    fn change(text: &str, line: &str) -> Result<(Cluster, String), String> {
        let mut cluster = Cluster::find(line, Path::new(".")).unwrap();
        let nodes: Nodes = text.parse()?;
        let said = nodes.apply(&mut cluster).map_err(|error| error.to_string())?;
        cluster.declare().map_err(|error| error.to_string())?;
        Ok((cluster, said))
    }

    #[test]
    fn nodes_come_and_go_like_the_last() {
        let (cluster, said) = change("+2", "2x8:H100/rack=2").unwrap();
        assert_eq!((cluster.gpus(), said.as_str()), (32, "2 more nodes"));
        assert_eq!(cluster.nodes[3].spec.domains, cluster.nodes[1].spec.domains);
        let (cluster, said) = change("-1", "2x8:H100").unwrap();
        assert_eq!((cluster.gpus(), said.as_str()), (8, "1 fewer node"));
    }

    #[test]
    fn a_pool_is_named_where_there_are_several() {
        let line = "1x8:H100/pool=a-1+2x8:H100/pool=b";
        let (cluster, said) = change("a-1+3", line).unwrap();
        assert_eq!((cluster.gpus(), said.as_str()), (48, "3 more nodes in pool a-1"));
        assert_eq!((cluster.pools[0].max, cluster.pools[1].max), (4, 2));
        assert!(change("+1", line).unwrap_err().contains("hint: name one, as in NAME+2: a-1, b"));
        assert!(change("c+1", line).unwrap_err().contains("expected one of a-1, b"));
        assert!(change("c+1", "1x8:H100").unwrap_err().contains("write +2"));
        assert!(change("b-2", line).unwrap_err().contains("leave at least one"));
        assert!(change("two", line).unwrap_err().contains("expected a change such as +2"));
        assert!(change("+0", line).is_err());
    }
}
