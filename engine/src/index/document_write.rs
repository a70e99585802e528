//! Document writes in the form that the indexer takes.

use memmap2::{Mmap, MmapMut};

use crate::tasks::Method;

pub enum DocumentWrite {
    /// Concatenated JSON objects.
    Add(Method, Payload),
    /// Document ids.
    Delete(Vec<String>),
}

/// Bytes in the form that milli's indexer takes: a read-only private map.
pub struct Payload(pub(super) Mmap);

impl Payload {
    /// Copies `bytes` into a map.
    pub fn new(bytes: &[u8]) -> std::io::Result<Self> {
        let mut map = MmapMut::map_anon(bytes.len())?;
        map[..bytes.len()].copy_from_slice(bytes);
        map.make_read_only().map(Self)
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl DocumentWrite {
    pub fn ids(&self) -> Vec<&str> {
        match self {
            Self::Add(..) => Vec::new(),
            Self::Delete(ids) => ids.iter().map(String::as_str).collect(),
        }
    }

    /// Returns the payload size in bytes.
    pub fn size(&self) -> usize {
        match self {
            Self::Add(_, payload) => payload.0.len(),
            Self::Delete(ids) => ids.iter().map(String::len).sum(),
        }
    }

    /// Splits the write into two halves, if it has more than one document.
    pub fn halves(&self) -> std::io::Result<Option<[Self; 2]>> {
        Ok(match self {
            Self::Delete(ids) if ids.len() > 1 => {
                let (a, b) = ids.split_at(ids.len() / 2);
                Some([Self::Delete(a.to_vec()), Self::Delete(b.to_vec())])
            }
            Self::Add(method, payload) => match middle(payload.bytes()) {
                Some(at) => {
                    let (a, b) = payload.bytes().split_at(at);
                    Some([Self::Add(*method, Payload::new(a)?), Self::Add(*method, Payload::new(b)?)])
                }
                None => None,
            },
            Self::Delete(_) => None,
        })
    }
}

/// Returns the end of the document nearest the middle of `payload`. Each document is one line without raw line breaks.
fn middle(payload: &[u8]) -> Option<usize> {
    let half = payload.len() / 2;
    let after = payload[half..].iter().position(|&b| b == b'\n').map(|i| half + i + 1).filter(|&at| at < payload.len());
    after.or_else(|| payload[..half].iter().rposition(|&b| b == b'\n').map(|i| i + 1))
}
