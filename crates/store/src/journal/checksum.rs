//! What tells a damaged entry or snapshot from a whole one.

use super::Sequence;

/// The checksum of an entry or snapshot, over all it says including its place.
pub(crate) fn checksum(sequence: Sequence, time_ms: u64, version: u32, body: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&sequence.to_le_bytes());
    hasher.update(&time_ms.to_le_bytes());
    hasher.update(&version.to_le_bytes());
    hasher.update(body);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn checksum_is_the_one_that_is_in_the_files_of_users() {
        // Worked out with the reference table of CRC-32, not with the crate.
        assert_eq!(checksum(1, 2, 3, b"body"), reference(&[1, 2], 3, b"body"));
        assert_ne!(checksum(1, 2, 3, b"body"), checksum(2, 2, 3, b"body"));
        assert_ne!(checksum(1, 2, 3, b"body"), checksum(1, 3, 3, b"body"));
        assert_ne!(checksum(1, 2, 3, b"body"), checksum(1, 2, 4, b"body"));
    }

    fn reference(longs: &[u64], version: u32, body: &[u8]) -> u32 {
        let mut bytes: Vec<u8> = longs.iter().flat_map(|long| long.to_le_bytes()).collect();
        bytes.extend(version.to_le_bytes());
        bytes.extend(body);
        let mut crc = u32::MAX;
        for byte in bytes {
            crc ^= u32::from(byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
            }
        }
        !crc
    }
}
