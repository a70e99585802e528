//! Content encodings: selection by `Accept-Encoding` and compression.

use std::{
    io::{self, Write},
    ops::RangeInclusive,
};

use async_compression::{Level, brotli::EncoderParams, tokio::bufread::BrotliEncoder};
use axum::http::{HeaderMap, header};
use futures_util::FutureExt;
use tokio::io::AsyncReadExt;

/// Content encoding of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Uncompressed.
    Identity,
    /// RFC 7932.
    Brotli,
    /// RFC 8878.
    Zstd,
    /// RFC 1952.
    Gzip,
}

/// Trade-off between size and time of compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// For a response that is sent once. It is 5 % larger and takes a fifth of the time.
    Quick,
    /// For a response that is stored because it was requested again.
    Thorough,
}

/// Minimum size in bytes for compression: a smaller response fits into one packet anyway.
pub const MIN_SIZE: usize = 1024;
/// Range of the Brotli window size, as powers of two. Below 17, the encoder uses a different match finder that takes ten times as long.
const BROTLI_WINDOW: RangeInclusive<i32> = 18..=22;

impl Effort {
    /// Quality 5 of 11 yields output 10 % larger than the best quality and is thirty times faster.
    const fn brotli(self) -> i32 {
        match self {
            Self::Quick => 2,
            Self::Thorough => 5,
        }
    }

    const fn zstd(self) -> i32 {
        match self {
            Self::Quick => 1,
            Self::Thorough => 6,
        }
    }

    const fn gzip(self) -> u32 {
        match self {
            Self::Quick => 1,
            Self::Thorough => 6,
        }
    }
}

impl Encoding {
    /// The compressed encodings, smallest output first.
    pub const COMPRESSED: [Self; 3] = [Self::Brotli, Self::Zstd, Self::Gzip];

    /// Returns the name used in `Content-Encoding`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    /// Returns the suffix of the ETag, because different bytes need different strong tags (RFC 9110, 8.8.3.3).
    pub const fn suffix(self, effort: Effort) -> &'static str {
        match (self, effort) {
            (Self::Identity, _) => "",
            (Self::Brotli, Effort::Quick) => "-br-quick",
            (Self::Brotli, Effort::Thorough) => "-br",
            (Self::Zstd, Effort::Quick) => "-zstd-quick",
            (Self::Zstd, Effort::Thorough) => "-zstd",
            (Self::Gzip, Effort::Quick) => "-gzip-quick",
            (Self::Gzip, Effort::Thorough) => "-gzip",
        }
    }

    /// Returns the encoding with the smallest output that `Accept-Encoding` allows (RFC 9110, 12.5.3). Ignores weights above zero.
    pub fn accepted(headers: &HeaderMap) -> Self {
        let accepts = |wanted: Self| {
            headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok()).any(|value| {
                value.split(',').any(|item| {
                    let (name, weight) = item.split_once(';').unwrap_or((item, ""));
                    name.trim().eq_ignore_ascii_case(wanted.name()) && !is_zero(weight)
                })
            })
        };
        Self::COMPRESSED.into_iter().find(|encoding| accepts(*encoding)).unwrap_or(Self::Identity)
    }

    /// Encodes `bytes`, which must not be empty.
    pub fn encode(self, bytes: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
        let mut out = Vec::with_capacity(bytes.len() / 4);
        Ok(match self {
            Self::Identity => bytes.to_vec(),
            Self::Brotli => {
                // A window larger than the response would only waste memory.
                let window =
                    (bytes.len().ilog2().cast_signed() + 1).clamp(*BROTLI_WINDOW.start(), *BROTLI_WINDOW.end());
                let params = EncoderParams::default().quality(Level::Precise(effort.brotli())).window_size(window);
                let mut reader = BrotliEncoder::with_params(bytes, params);
                // Never pending, because the input is in memory.
                let read = reader.read_to_end(&mut out).now_or_never();
                read.unwrap_or_else(|| Err(io::ErrorKind::WouldBlock.into()))?;
                out
            }
            Self::Zstd => zstd::bulk::compress(bytes, effort.zstd())?,
            Self::Gzip => {
                let mut writer = flate2::write::GzEncoder::new(out, flate2::Compression::new(effort.gzip()));
                writer.write_all(bytes)?;
                writer.finish()?
            }
        })
    }
}

/// Returns whether the weight is `q=0` in any spelling (RFC 9110, 12.4.2).
fn is_zero(weight: &str) -> bool {
    weight
        .trim()
        .strip_prefix(['q', 'Q'])
        .and_then(|rest| rest.trim_start().strip_prefix('='))
        .is_some_and(|weight| weight.trim().parse() == Ok(0.0_f32))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn smallest_accepted_encoding_is_selected() {
        for (accept, expected) in [
            ("gzip, deflate, br, zstd", Encoding::Brotli),
            ("gzip, deflate, zstd", Encoding::Zstd),
            ("GZIP;q=0.5", Encoding::Gzip),
            ("br;q=0, gzip", Encoding::Gzip),
            ("br;q=0.000,zstd; q=0", Encoding::Identity),
            ("br;Q=0, gzip;Q=0.0", Encoding::Identity),
            ("br ; Q=0 , zstd;Q=1", Encoding::Zstd),
            ("deflate", Encoding::Identity),
            ("", Encoding::Identity),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, accept.parse().expect("header"));
            assert_eq!(Encoding::accepted(&headers), expected, "{accept}");
        }
        assert_eq!(Encoding::accepted(&HeaderMap::new()), Encoding::Identity);
    }

    #[test]
    fn encodings_round_trip() {
        let bytes = "{\"videos\":[1,2,3]}".repeat(500).into_bytes();
        for (encoding, effort) in Encoding::COMPRESSED
            .into_iter()
            .flat_map(|encoding| [(encoding, Effort::Quick), (encoding, Effort::Thorough)])
        {
            let encoded = encoding.encode(&bytes, effort).expect("encoded");
            assert!(encoded.len() < bytes.len() / 5, "{encoding:?} {effort:?}");
            let mut decoded = Vec::new();
            match encoding {
                Encoding::Brotli => brotli::Decompressor::new(&*encoded, 4096).read_to_end(&mut decoded),
                Encoding::Zstd => zstd::Decoder::new(&*encoded).expect("decoder").read_to_end(&mut decoded),
                _ => flate2::read::GzDecoder::new(&*encoded).read_to_end(&mut decoded),
            }
            .expect("decoded");
            assert_eq!(decoded, bytes);
        }
    }
}
