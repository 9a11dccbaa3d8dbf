//! Regions and the pools that stand in them.

use crate::bound::{POOL_NODES_MAX, POOLS_MAX, PRICE_MICROS_MAX, TEXT_LENGTH_MAX};
use crate::cluster::ClusterSpec;
use crate::error::Invalid;
use crate::field::Field;
use crate::name::quoted;
use crate::pool::Region;
use crate::problems::Problems;

/// Everything wrong with the regions.
pub(super) fn check_regions(regions: &[Region], field: &Field<'_>, problems: &mut Problems) {
    if !problems.length(field, "regions", regions.len(), 0..=POOLS_MAX) {
        return;
    }
    problems.unique(field, Some("name"), regions, |region| &region.name);
    for (index, region) in regions.iter().enumerate() {
        let at = field.at(index);
        problems.name(&at.field("name"), &region.name);
        check_zone(&region.zone, &at.field("zone"), problems);
    }
}

/// The zone has the form of an IANA name; the edges, which have the list, look it up.
pub(super) fn check_zone(zone: &str, field: &Field<'_>, problems: &mut Problems) {
    let is_part = |part: &str| {
        let is_zone_letter = |c: char| c.is_ascii_alphanumeric() || "_-+".contains(c);
        part.starts_with(|c: char| c.is_ascii_alphabetic()) && part.chars().all(is_zone_letter)
    };
    let is_zone = zone.len() <= TEXT_LENGTH_MAX && zone.split('/').all(is_part);
    let allowed = "expected the name of a time zone, such as Europe/Oslo or UTC";
    let problem = || Invalid::new(field.to_string(), quoted(zone), allowed);
    if !is_zone {
        let mended = zone.trim().replace(' ', "_");
        let is_mended = mended != zone && mended.split('/').all(is_part);
        problems.add(problem().meant_if(is_mended.then_some(mended)));
    }
}

/// Everything wrong with the pools.
pub(super) fn check_pools(cluster: &ClusterSpec, field: &Field<'_>, problems: &mut Problems) {
    let pools = &cluster.pools;
    if !problems.length(field, "pools", pools.len(), 0..=POOLS_MAX) {
        return;
    }
    problems.unique(field, Some("name"), pools, |pool| &pool.name);
    for (index, pool) in pools.iter().enumerate() {
        let at = field.at(index);
        problems.name(&at.field("name"), &pool.name);
        let regions = || cluster.regions.iter().map(|region| region.name.as_str());
        let missing =
            pool.region.as_ref().filter(|name| !regions().any(|known| known == name.as_str()));
        if let Some(region) = missing {
            problems.unknown(&at.field("region"), region.as_str(), "regions", regions());
        }
        if problems.range(&at.field("max"), pool.max, 1..=POOL_NODES_MAX) {
            problems.range(&at.field("min"), pool.min, 0..=pool.max);
        }
        problems.range(&at.field("price_micros"), pool.price_micros, 0..=PRICE_MICROS_MAX);
    }
}
