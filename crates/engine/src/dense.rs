//! Dense typed indexes: names become small numbers at the edge of the engine, so that the
//! algorithms see vectors and never a string.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A number that indexes one kind of vector.
pub(crate) trait Key: Copy {
    fn from_index(index: usize) -> Self;
    fn index(self) -> usize;
}

macro_rules! key {
    ($(#[$doc:meta])* $name:ident, $inner:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(pub(crate) $inner);

        impl Key for $name {
            fn from_index(index: usize) -> Self {
                Self(<$inner>::try_from(index).expect("dense indexes are bounded by validation"))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

key!(
    /// A GPU model; 0 stands for nodes without GPUs.
    ModelId, u16
);
key!(
    /// A class, in the order of configuration.
    ClassId, u8
);
key!(
    /// A queue, parents before children.
    QueueId, u16
);
key!(
    /// A user that has submitted something.
    UserId, u32
);
key!(
    /// A domain of the topology tree; 0 is the whole cluster.
    DomainId, u32
);
key!(
    /// A shape: everything placement looks at in a job.
    ShapeId, u32
);
key!(
    /// A line of waiting jobs that differ in nothing but their own key.
    LineId, u32
);

impl Key for muster_model::NodeId {
    fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("a cluster has fewer than 2^32 nodes"))
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A vector indexed by one kind of key.
#[derive(Clone, Debug)]
pub(crate) struct Dense<K, T> {
    items: Vec<T>,
    key: PhantomData<K>,
}

impl<K: Key, T> Dense<K, T> {
    pub(crate) fn new() -> Self {
        Dense { items: Vec::new(), key: PhantomData }
    }

    pub(crate) fn push(&mut self, item: T) -> K {
        self.items.push(item);
        K::from_index(self.items.len() - 1)
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn get(&self, key: K) -> Option<&T> {
        self.items.get(key.index())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, &T)> {
        self.items.iter().enumerate().map(|(index, item)| (K::from_index(index), item))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = K> + use<K, T> {
        (0..self.items.len()).map(K::from_index)
    }
}

impl<K: Key, T> Index<K> for Dense<K, T> {
    type Output = T;
    fn index(&self, key: K) -> &T {
        &self.items[key.index()]
    }
}

impl<K: Key, T> IndexMut<K> for Dense<K, T> {
    fn index_mut(&mut self, key: K) -> &mut T {
        &mut self.items[key.index()]
    }
}
