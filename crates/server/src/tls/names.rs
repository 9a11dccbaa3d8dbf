//! What a certificate of the cluster's own authority is good for: every name and address by which
//! this machine knows that it can be reached, and those that the operator adds.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::settings::is_name;

/// The most addresses of this machine that go into its certificate. Machines with more are hosts
/// of many containers, whose addresses nobody connects to.
const ADDRESSES_MAX: usize = 64;

/// Where a server is found.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// Where it listens.
    pub(crate) listen: IpAddr,
    /// What the operator added.
    pub(crate) more: Vec<String>,
}

impl Names {
    /// All names and addresses, as they are at this moment.
    pub(crate) fn all(&self) -> Vec<String> {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let mut all = vec!["localhost".to_owned()];
        let host = read("/proc/sys/kernel/hostname").trim().to_lowercase();
        all.extend(Some(host).filter(|host| is_name(host)));
        let mut addresses = vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
        match self.listen.is_unspecified() {
            false => addresses.push(self.listen),
            true => {
                addresses.extend(local_v4(&read("/proc/net/fib_trie")).map(IpAddr::V4));
                addresses.extend(local_v6(&read("/proc/net/if_inet6")).map(IpAddr::V6));
            }
        }
        all.extend(addresses.iter().take(ADDRESSES_MAX).map(IpAddr::to_string));
        all.extend(self.more.iter().map(|name| name.to_lowercase()));
        all.sort();
        all.dedup();
        all
    }
}

/// Addresses that the kernel's table of routes calls its own: each stands above the line that says
/// so.
fn local_v4(table: &str) -> impl Iterator<Item = Ipv4Addr> {
    let pairs = table.lines().zip(table.lines().skip(1));
    let own = pairs.filter(|(_, below)| below.trim() == "/32 host LOCAL");
    own.filter_map(|(above, _)| above.trim().strip_prefix("|-- ")?.parse().ok())
}

/// Addresses of all interfaces, without those that mean something on one link only.
fn local_v6(table: &str) -> impl Iterator<Item = Ipv6Addr> {
    let digits = table.lines().filter_map(|line| line.split_whitespace().next());
    let all = digits.filter_map(|digits| u128::from_str_radix(digits, 16).ok());
    all.map(Ipv6Addr::from_bits).filter(|address| !address.is_unicast_link_local())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_from_the_tables_of_the_kernel() {
        let routes = "Local:\n  +-- 0.0.0.0/0 3 0 5\n     +-- 10.1.0.0/16 2 0 2\n        \
                      |-- 10.1.2.3\n           /32 host LOCAL\n        |-- 10.1.255.255\n          \
                      /32 link BROADCAST\n";
        assert_eq!(local_v4(routes).collect::<Vec<_>>(), [Ipv4Addr::new(10, 1, 2, 3)]);
        let interfaces = "fe80000000000000505400fffe123456 02 40 20 80 eth0\n\
                          20010db8000000000000000000000001 02 40 00 80 eth0\n";
        let found: Vec<_> = local_v6(interfaces).map(|found| found.to_string()).collect();
        assert_eq!(found, ["2001:db8::1"]);
    }

    #[test]
    fn certificate_is_good_for_where_the_server_listens_and_what_was_added() {
        let more = vec!["Muster.Example".to_owned()];
        let names = Names { listen: IpAddr::from([10, 9, 8, 7]), more }.all();
        for name in ["localhost", "127.0.0.1", "10.9.8.7", "muster.example"] {
            assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
        }
        let everywhere = Names { listen: Ipv4Addr::UNSPECIFIED.into(), more: Vec::new() }.all();
        assert!(!everywhere.iter().any(|name| name == "0.0.0.0"), "{everywhere:?}");
    }
}
