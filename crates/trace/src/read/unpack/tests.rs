//! Packed sources of several parts, parts without data, and broken ones.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::unpacked;

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &str) -> Vec<u8> {
    compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
}

fn skippable(bytes: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x53, 0x2a, 0x4d, 0x18];
    frame.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
    frame.extend(bytes);
    frame
}

fn read(packed: &[u8]) -> std::io::Result<String> {
    let mut text = String::new();
    unpacked(packed)?.read_to_string(&mut text)?;
    Ok(text)
}

#[test]
fn anything_else_passes_as_it_is() {
    for text in ["", "a", "job_id,vc\n", "*M\u{18}"] {
        assert_eq!(read(text.as_bytes()).unwrap(), text);
    }
}

#[test]
fn parts_that_follow_one_another_are_one_text() {
    let long = "0123456789".repeat(50_000);
    assert_eq!(read(&[gzip("one\n"), gzip(&long)].concat()).unwrap(), format!("one\n{long}"));
    let frames = [skippable(b"who made it"), zstd("one\n"), skippable(b""), zstd(&long), zstd("")];
    assert_eq!(read(&frames.concat()).unwrap(), format!("one\n{long}"));
}

#[test]
fn a_changed_byte_is_an_error_and_not_another_text() {
    let text = "job_id,arrival_s\n".repeat(20);
    for packed in [gzip(&text), zstd(&text)] {
        let mut differs = 0;
        for at in 4..packed.len() {
            let mut changed = packed.clone();
            changed[at] ^= 0x40;
            differs += u32::from(read(&changed).ok().is_some_and(|read| read != text));
        }
        assert_eq!(differs, 0, "of {} bytes", packed.len());
    }
}

#[test]
fn what_is_cut_off_is_an_error() {
    let text = "job_id,arrival_s\n".repeat(20);
    for packed in [gzip(&text), zstd(&text), skippable(b"12345678")] {
        for length in 5..packed.len() {
            assert!(read(&packed[..length]).is_err(), "{length} of {} bytes", packed.len());
        }
    }
}
