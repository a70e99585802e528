//! Which form of an answer a client takes, and making it.

use std::io::Write;

use axum::http::{HeaderMap, header};
use bytes::Bytes;

/// A form of the same answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// As it is.
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
    /// For an answer that is asked for again.
    Thorough,
}

/// Smaller answers fit into one packet anyway.
pub const SMALLEST: usize = 1024;
/// Window of 4 MiB: more than any answer.
const BROTLI_WINDOW: u32 = 22;

impl Effort {
    /// Quality 5 of 11: a tenth larger than the best, thirty times faster.
    const fn brotli(self) -> u32 {
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

    /// The bytes in this form.
    ///
    /// # Errors
    /// Only where memory for the compressor is missing.
    pub fn make(self, bytes: &Bytes, effort: Effort) -> std::io::Result<Bytes> {
        let out = Vec::with_capacity(bytes.len() / 4);
        Ok(Bytes::from(match self {
            Self::Identity => return Ok(bytes.clone()),
            Self::Brotli => {
                let mut writer = brotli::CompressorWriter::new(out, 1 << 16, effort.brotli(), BROTLI_WINDOW);
                writer.write_all(bytes)?;
                writer.flush()?;
                writer.into_inner()
            }
            Self::Zstd => zstd::bulk::compress(bytes, effort.zstd())?,
            Self::Gzip => {
                let mut writer = flate2::write::GzEncoder::new(out, flate2::Compression::new(effort.gzip()));
                writer.write_all(bytes)?;
                writer.finish()?
            }
        }))
    }
}

/// `q=0`, in any of its spellings.
fn is_zero(weight: &str) -> bool {
    weight.trim().strip_prefix("q=").is_some_and(|q| q.trim().parse() == Ok(0.0_f32))
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
        let bytes = Bytes::from("{\"videos\":[1,2,3]}".repeat(500));
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
