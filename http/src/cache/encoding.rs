//! Which form of an answer a client takes, and making it.

use std::{
    io::{self, Write},
    ops::RangeInclusive,
};

use async_compression::{Level, brotli::EncoderParams, tokio::bufread::BrotliEncoder};
use axum::http::{HeaderMap, header};
use futures_util::FutureExt;
use tokio::io::AsyncReadExt;

/// A form of the same answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Identity,
    /// RFC 7932.
    Brotli,
    /// RFC 8878.
    Zstd,
    /// RFC 1952.
    Gzip,
}

/// How small a form gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// For the one who waits: a twentieth larger, in a fifth of the time.
    Quick,
    /// For an answer that is requested again.
    Thorough,
}

/// Smaller answers fit into one packet anyway.
pub const SMALLEST: usize = 1024;
/// Smallest and largest window of Brotli, as powers of two. Below 17 the compressor looks for repetitions in another way that
/// takes ten times as long.
const BROTLI_WINDOW: RangeInclusive<i32> = 18..=22;

impl Effort {
    /// Quality 5 of 11: a tenth larger than the best, thirty times faster.
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
    /// The forms that are made from the first.
    pub const MADE: [Self; 3] = [Self::Brotli, Self::Zstd, Self::Gzip];

    /// Name in `Content-Encoding`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    /// What tells the tag of this form from those of others: other bytes, another strong tag (RFC 9110, 8.8.3.3).
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

    /// The smallest form that `Accept-Encoding` allows (RFC 9110, 12.5.3). Weights above zero don't matter: whoever takes a
    /// form is glad of a smaller one.
    pub fn accepted(headers: &HeaderMap) -> Self {
        let takes = |wanted: Self| {
            headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok()).any(|value| {
                value.split(',').any(|item| {
                    let (name, weight) = item.split_once(';').unwrap_or((item, ""));
                    name.trim().eq_ignore_ascii_case(wanted.name()) && !is_zero(weight)
                })
            })
        };
        Self::MADE.into_iter().find(|made| takes(*made)).unwrap_or(Self::Identity)
    }

    /// The bytes, of which there must be some, in this form.
    pub fn make(self, bytes: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
        let mut out = Vec::with_capacity(bytes.len() / 4);
        Ok(match self {
            Self::Identity => bytes.to_vec(),
            Self::Brotli => {
                // A window of more than the answer would only take memory.
                let window =
                    (bytes.len().ilog2().cast_signed() + 1).clamp(*BROTLI_WINDOW.start(), *BROTLI_WINDOW.end());
                let params = EncoderParams::default().quality(Level::Precise(effort.brotli())).window_size(window);
                let mut reader = BrotliEncoder::with_params(bytes, params);
                // Never pending, because all bytes are there.
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

/// `q=0`, in any of its spellings (RFC 9110, 12.4.2).
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
    fn the_smallest_accepted_form_is_chosen() {
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
    fn every_form_holds_the_same_bytes() {
        let bytes = "{\"videos\":[1,2,3]}".repeat(500).into_bytes();
        for (form, effort) in
            Encoding::MADE.into_iter().flat_map(|form| [(form, Effort::Quick), (form, Effort::Thorough)])
        {
            let made = form.make(&bytes, effort).expect("made");
            assert!(made.len() < bytes.len() / 5, "{form:?} {effort:?}");
            let mut back = Vec::new();
            match form {
                Encoding::Brotli => brotli::Decompressor::new(&*made, 4096).read_to_end(&mut back),
                Encoding::Zstd => zstd::Decoder::new(&*made).expect("decoder").read_to_end(&mut back),
                _ => flate2::read::GzDecoder::new(&*made).read_to_end(&mut back),
            }
            .expect("decoded");
            assert_eq!(back, bytes);
        }
    }
}
