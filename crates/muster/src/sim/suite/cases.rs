//! What others published, by trace. Sources: FIFO, SJF, SRTF and Tiresias on Venus as run by Lucid
//! (ASPLOS '23), the others by the same rules; packing by FGD (ATC '23); deadlines by ElasticFlow
//! (ASPLOS '23), of which only the rows without elasticity are like for like.

use muster_sim::packing::Policy;
use muster_sim::published::Rule;

/// A trace on a cluster, and what published rules come to there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    pub(super) cluster: &'static str,
    /// By rule: mean JCT and, where it was published, mean queue.
    pub(super) rules: &'static [(Rule, f64, Option<f64>)],
    pub(super) tiresias: f64,
    pub(super) srtf: f64,
}

pub(super) const VENUS: Case = Case {
    name: "Venus, 15 pools",
    file: "venus/jobs.csv",
    cluster: "venus",
    rules: &[
        (Rule::Fifo, 65_721.0, Some(53_951.0)),
        (Rule::Sjf, 21_095.0, Some(9_326.0)),
        (Rule::Srtf, 12_610.0, Some(830.0)),
        (Rule::Tiresias, 14_700.0, Some(2_916.0)),
    ],
    tiresias: 14_700.0,
    srtf: 12_610.0,
};

pub(super) const PHILLY: Case = Case {
    name: "Philly, 64×8",
    file: "philly/jobs.csv",
    cluster: "64x8:V100",
    rules: &[
        (Rule::Fifo, 846_813.0, None),
        (Rule::Srtf, 20_545.0, None),
        (Rule::Tiresias, 90_763.0, None),
    ],
    tiresias: 90_763.0,
    srtf: 20_545.0,
};

/// Shrunk until they queue.
pub(super) const ITP: [Case; 3] = [
    Case {
        name: "ITP 01, 8×8",
        file: "itp/cluster01.csv",
        cluster: "8x8:V100",
        rules: &[
            (Rule::Fifo, 144_201.0, None),
            (Rule::Srtf, 22_200.0, None),
            (Rule::Tiresias, 33_676.0, None),
        ],
        tiresias: 33_676.0,
        srtf: 22_200.0,
    },
    Case {
        name: "ITP 02, 16×8",
        file: "itp/cluster02.csv",
        cluster: "16x8:V100",
        rules: &[
            (Rule::Fifo, 208_448.0, None),
            (Rule::Srtf, 26_661.0, None),
            (Rule::Tiresias, 54_241.0, None),
        ],
        tiresias: 54_241.0,
        srtf: 26_661.0,
    },
    Case {
        name: "ITP 05, 2×8",
        file: "itp/cluster05.csv",
        cluster: "2x8:V100",
        rules: &[
            (Rule::Fifo, 244_960.0, None),
            (Rule::Srtf, 80_998.0, None),
            (Rule::Tiresias, 138_451.0, None),
        ],
        tiresias: 138_451.0,
        srtf: 80_998.0,
    },
];

/// All of them.
pub(super) fn all() -> impl Iterator<Item = Case> {
    [VENUS, PHILLY].into_iter().chain(ITP)
}

/// A list of pods: its name, its file, its nodes, and what each policy gave away, in percent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pods {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    pub(super) nodes: &'static str,
    /// The list has its own order of arrival.
    pub(super) is_ordered: bool,
    /// Whether the published figures of all policies are to come out again.
    pub(super) is_reproduced: bool,
    pub(super) published: [(Policy, f64); 6],
    /// What the default policy should give away.
    pub(super) aim: f64,
}

const fn published(percent: [f64; 6]) -> [(Policy, f64); 6] {
    [
        (Policy::Random, percent[0]),
        (Policy::DotProduct, percent[1]),
        (Policy::GpuClustering, percent[2]),
        (Policy::GpuPacking, percent[3]),
        (Policy::BestFit, percent[4]),
        (Policy::Fgd, percent[5]),
    ]
}

const fn pods(name: &'static str, file: &'static str, percent: [f64; 6]) -> Pods {
    Pods {
        name,
        file,
        nodes: "alibaba-2023",
        is_ordered: false,
        is_reproduced: false,
        published: published(percent),
        aim: percent[5],
    }
}

pub(super) const PODS: [Pods; 5] = [
    Pods {
        is_reproduced: true,
        aim: 95.5,
        ..pods(
            "default",
            "alibaba-2023/pods_default.csv",
            [87.47, 90.85, 91.88, 92.00, 93.08, 95.39],
        )
    },
    pods(
        "gpushare40",
        "alibaba-2023/pods_gpushare40.csv",
        [86.00, 89.56, 90.02, 90.03, 91.69, 94.15],
    ),
    pods(
        "multigpu20",
        "alibaba-2023/pods_multigpu20.csv",
        [88.69, 92.06, 93.56, 93.71, 93.93, 95.65],
    ),
    pods(
        "gpuspec10",
        "alibaba-2023/pods_gpuspec10.csv",
        [87.43, 90.39, 92.18, 92.46, 93.30, 94.95],
    ),
    Pods {
        nodes: "alibaba-2023-eighth",
        is_ordered: true,
        is_reproduced: true,
        ..pods(
            "eighth",
            "alibaba-2023/eighth/arrival_order_seed42.csv",
            [88.76, 90.02, 93.69, 93.79, 91.91, 95.08],
        )
    },
];

/// Deadlines met, in percent, by the baselines without elasticity: EDF, Tiresias, Chronus.
pub(super) const DEADLINES: [(&str, &str, &str, [f64; 3]); 6] = [
    ("ITP 01, 64×8", "itp/cluster01.csv", "64x8:V100", [18.2, 47.8, 47.4]),
    ("ITP 02, 64×8", "itp/cluster02.csv", "64x8:V100", [22.8, 47.0, 44.5]),
    ("ITP 03, 64×8", "itp/cluster03.csv", "64x8:V100", [9.5, 40.1, 42.6]),
    ("ITP 05, 64×8", "itp/cluster05.csv", "64x8:V100", [37.5, 42.0, 45.3]),
    ("ITP 06, 64×8", "itp/cluster06.csv", "64x8:V100", [10.5, 46.6, 43.2]),
    ("ITP 10, 32×8", "itp/cluster10.csv", "32x8:V100", [76.9, 47.3, 45.4]),
];
