//! One page of an LMDB file, and the entries in it.

use std::borrow::Cow;
use std::io::Result;

use super::damaged;

pub const PAGE_HEAD: usize = 16;
pub const BRANCH: u16 = 0x01;
pub const LEAF: u16 = 0x02;
pub const OVERFLOW: u16 = 0x04;
/// Node flags. `BIG` means that the value is on overflow pages, and `TREE` that the value describes a tree.
const BIG: u16 = 0x01;
const TREE: u16 = 0x02;
const NODE_HEAD: usize = 8;

pub struct Page {
    number: u64,
    bytes: Vec<u8>,
}

/// An entry of a leaf.
pub struct Node<'p> {
    flags: u16,
    pub value: Cow<'p, [u8]>,
}

/// An entry of a leaf. Its value may be on other pages.
pub struct LeafEntry<'p> {
    flags: u16,
    pub key: &'p [u8],
    /// The value, or the number of its first page.
    data: &'p [u8],
    size: usize,
}

impl Node<'_> {
    pub fn is_tree(&self) -> bool {
        self.flags & TREE != 0
    }
}

impl<'p> LeafEntry<'p> {
    /// If the value is on overflow pages, returns its first page and its length in bytes.
    pub fn overflow(&self) -> Option<(u64, usize)> {
        (self.flags & BIG != 0).then(|| (u64_at(self.data, 0), self.size))
    }

    pub fn node(&self, elsewhere: Option<Vec<u8>>) -> Node<'p> {
        Node { flags: self.flags, value: elsewhere.map_or(Cow::Borrowed(self.data), Cow::Owned) }
    }
}

impl Page {
    pub fn new(number: u64, bytes: Vec<u8>) -> Self {
        Self { number, bytes }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn flags(&self) -> u16 {
        u16_at(&self.bytes, 10)
    }

    /// Returns the number of overflow pages that a value occupies.
    pub fn overflow_pages(&self) -> Result<u64> {
        match self.has_own_number() && self.flags() == OVERFLOW {
            true => Ok(u32_at(&self.bytes, 12).into()),
            false => Err(damaged("a page is unreadable")),
        }
    }

    /// Returns whether this tree page is a leaf. Fails if the page doesn't belong to a tree.
    pub fn is_leaf(&self) -> Result<bool> {
        let (lower, upper) = (self.lower(), self.upper());
        let shaped = PAGE_HEAD < lower && lower % 2 == 0 && lower <= upper && upper <= self.bytes.len();
        match self.flags() {
            kind @ (LEAF | BRANCH) if shaped && self.has_own_number() => Ok(kind == LEAF),
            _ => Err(damaged("a page is unreadable")),
        }
    }

    /// Returns the number of entries in a tree page.
    pub fn len(&self) -> usize {
        (self.lower() - PAGE_HEAD) / 2
    }

    /// Returns the child page that a branch entry points to, and the lowest key in that child.
    pub fn branch(&self, entry: usize) -> Result<(u64, &[u8])> {
        let (node, key) = self.node(entry)?;
        Ok((u64::from(u32_at(node, 0)) | u64::from(u16_at(node, 4)) << 32, key))
    }

    pub fn leaf(&self, entry: usize) -> Result<LeafEntry<'_>> {
        let (node, key) = self.node(entry)?;
        let (size, flags) = (u32_at(node, 0) as usize, u16_at(node, 4));
        let here = if flags & BIG == 0 { size } else { 8 };
        let start = NODE_HEAD + key.len();
        match node.get(start..start + here) {
            // A leaf without duplicates has no other flags.
            Some(data) if flags & !(BIG | TREE) == 0 => Ok(LeafEntry { flags, key, data, size }),
            _ => Err(damaged("an entry is unreadable")),
        }
    }

    /// Returns the page from an entry onwards, and the entry's key.
    fn node(&self, entry: usize) -> Result<(&[u8], &[u8])> {
        let at = usize::from(u16_at(&self.bytes, PAGE_HEAD + 2 * entry));
        let node = self.bytes.get(at..).filter(|node| at >= self.upper() && node.len() >= NODE_HEAD);
        let node = node.ok_or_else(|| damaged("an entry is unreadable"))?;
        let key = node.get(NODE_HEAD..NODE_HEAD + usize::from(u16_at(node, 6)));
        key.map(|key| (node, key)).ok_or_else(|| damaged("an entry is unreadable"))
    }

    fn has_own_number(&self) -> bool {
        u64_at(&self.bytes, 0) == self.number
    }

    fn lower(&self) -> usize {
        usize::from(u16_at(&self.bytes, 12))
    }

    fn upper(&self) -> usize {
        // In a page of the maximum size, this offset overflows 16 bits.
        match usize::from(u16_at(&self.bytes, 14)) {
            0 if self.bytes.len() > usize::from(u16::MAX) => self.bytes.len(),
            upper => upper,
        }
    }
}

fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0xFF; N])
}

pub fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_ne_bytes(bytes_at(bytes, at))
}

pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(bytes_at(bytes, at))
}

pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(bytes_at(bytes, at))
}
