//! Compression, told by the first bytes: gzip and Zstandard, of one member or of many, are undone
//! while reading; anything else passes as it is.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Frames that carry no data begin with this and one of sixteen last digits.
const ZSTD_SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];

/// Large enough that reading a file costs few calls.
const BUFFER_BYTES: usize = 64 * 1024;

/// The bytes of a source, unpacked where they are packed.
pub(crate) fn unpacked<'r>(mut source: impl Read + 'r) -> io::Result<Box<dyn BufRead + 'r>> {
    let mut magic = Vec::with_capacity(ZSTD_MAGIC.len());
    source.by_ref().take(ZSTD_MAGIC.len() as u64).read_to_end(&mut magic)?;
    let is_gzip = magic.starts_with(&GZIP_MAGIC);
    let is_skippable = magic.get(1..) == Some(&ZSTD_SKIPPABLE) && magic[0] >> 4 == 5;
    let is_zstd = magic == ZSTD_MAGIC || is_skippable;
    let whole = BufReader::with_capacity(BUFFER_BYTES, Cursor::new(magic).chain(source));
    Ok(if is_gzip {
        Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(whole)))
    } else if is_zstd {
        Box::new(BufReader::with_capacity(BUFFER_BYTES, Frames::new(whole)))
    } else {
        Box::new(whole)
    })
}

/// All frames of a Zstandard file, one after the other.
struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    is_inside: bool,
}

impl<R: BufRead> Frames<R> {
    fn new(source: R) -> Frames<R> {
        Frames { source, decoder: FrameDecoder::new(), is_inside: false }
    }

    /// Goes to the next frame with data; false at the end of the file.
    fn enter(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => self.skip(u64::from(length))?,
                Err(error) => return Err(broken(error)),
            }
        }
        Ok(false)
    }

    fn skip(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.source.by_ref().take(length), &mut io::sink())?;
        if skipped == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// The frame is over: what came out must be what went in.
    fn leave(&mut self) -> io::Result<()> {
        self.is_inside = false;
        let promised = self.decoder.get_checksum_from_data();
        if promised.is_some() && promised != self.decoder.get_calculated_checksum() {
            return Err(broken("the checksum of a frame differs"));
        }
        Ok(())
    }
}

fn broken(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_inside {
                self.is_inside = self.enter()?;
                if !self.is_inside {
                    return Ok(0);
                }
            }
            // Each round decodes a block, so the loop ends with the file.
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, one).map_err(broken)?;
            }
            match self.decoder.read(buffer)? {
                0 if buffer.is_empty() => return Ok(0),
                0 => self.leave()?,
                count => return Ok(count),
            }
        }
    }
}

#[cfg(test)]
mod tests;
