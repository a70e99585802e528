//! A look at an LMDB file before LMDB maps it: LMDB trusts what it maps, and a page that is missing or nonsense ends the
//! process instead of the call.
//!
//! Checked are the two meta pages, the file's length, and the root page of every tree. The layout is LMDB's own: native byte
//! order, version 1.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::FileExt;
use std::path::Path;

const MAGIC: u32 = 0xBEEF_C0DE;
const VERSION: u32 = 1;
const PAGE_HEAD: usize = 16;
const META: u16 = 0x08;
const BRANCH: u16 = 0x01;
const LEAF: u16 = 0x02;
const OVERFLOW: u16 = 0x04;
/// Node flags: data on overflow pages, data describing a tree.
const BIG: u16 = 0x01;
const TREE: u16 = 0x02;
/// Where in a meta page: after its head, magic, version, address and map size, the two trees.
const TREES: usize = PAGE_HEAD + 24;
const TREE_SIZE: usize = 48;
const NO_PAGE: u64 = u64::MAX;
/// Deeper trees than LMDB allows.
const MAX_DEPTH: usize = 32;

/// Answers an error of kind `InvalidData` or `NotFound` when LMDB must not be let at the file.
pub fn check(path: &Path) -> Result<()> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    // The first page's size is told by the page itself.
    let mut start = [0; TREES + 4];
    file.read_exact_at(&mut start, 0).map_err(|_| damaged("the file is too short"))?;
    let page_size = u64::from(u32_at(&start, TREES));
    if u32_at(&start, PAGE_HEAD) != MAGIC || !page_size.is_power_of_two() || !(512..=1 << 16).contains(&page_size) {
        return Err(damaged("its beginning is not an LMDB file's"));
    }
    let store = Store { file, page_size, pages: length / page_size };
    let meta = [store.meta(0)?, store.meta(1)?].into_iter().max_by_key(|meta| meta.transaction);
    let Some(meta) = meta else { return Ok(()) };
    store.tree(meta.main, MAX_DEPTH, &mut |node| match node.flags & TREE {
        0 => Ok(()),
        _ => store.root(u64_at(node.data, TREE_SIZE - 8)).map(drop),
    })?;
    store.free_covers_the_end(&meta)
}

struct Store {
    file: File,
    page_size: u64,
    pages: u64,
}

struct Meta {
    free: u64,
    main: u64,
    last_page: u64,
    transaction: u64,
}

struct Node<'p> {
    flags: u16,
    data: &'p [u8],
}

impl Store {
    fn meta(&self, number: u64) -> Result<Meta> {
        let page = self.page(number)?;
        if u16_at(&page, 10) & META == 0 || u32_at(&page, PAGE_HEAD) != MAGIC || u32_at(&page, PAGE_HEAD + 4) != VERSION
        {
            return Err(damaged("a meta page is unreadable"));
        }
        let root = |tree: usize| u64_at(&page, TREES + tree * TREE_SIZE + TREE_SIZE - 8);
        let after = TREES + 2 * TREE_SIZE;
        Ok(Meta {
            free: root(0),
            main: root(1),
            last_page: u64_at(&page, after),
            transaction: u64_at(&page, after + 8),
        })
    }

    fn page(&self, number: u64) -> Result<Vec<u8>> {
        let mut page = vec![0; usize::try_from(self.page_size).unwrap_or(0)];
        if number >= self.pages {
            return Err(damaged("the file is cut off"));
        }
        self.file.read_exact_at(&mut page, number * self.page_size)?;
        Ok(page)
    }

    /// The page at the top of a tree, which must be of a kind that can be there.
    fn root(&self, number: u64) -> Result<Option<Vec<u8>>> {
        if number == NO_PAGE {
            return Ok(None);
        }
        let page = self.page(number)?;
        let (lower, upper) = (usize::from(u16_at(&page, 12)), usize::from(u16_at(&page, 14)));
        let shaped = PAGE_HEAD <= lower && lower <= upper && upper <= page.len();
        if u64_at(&page, 0) != number || u16_at(&page, 10) & (BRANCH | LEAF) == 0 || !shaped {
            return Err(damaged("a page is unreadable"));
        }
        Ok(Some(page))
    }

    /// Visits every entry of the tree below the page `root`.
    fn tree(&self, root: u64, depth: usize, visit: &mut impl FnMut(Node<'_>) -> Result<()>) -> Result<()> {
        let Some(page) = self.root(root)? else { return Ok(()) };
        let depth = depth.checked_sub(1).ok_or_else(|| damaged("a tree has no end"))?;
        let entries = (usize::from(u16_at(&page, 12)) - PAGE_HEAD) / 2;
        for entry in 0..entries {
            let at = usize::from(u16_at(&page, PAGE_HEAD + 2 * entry));
            let node =
                page.get(at..).filter(|node| node.len() >= 8).ok_or_else(|| damaged("an entry is unreadable"))?;
            let (size, flags) = (u32_at(node, 0), u16_at(node, 4));
            if u16_at(&page, 10) & BRANCH != 0 {
                self.tree(u64::from(size) | u64::from(flags) << 32, depth, visit)?;
                continue;
            }
            let start = 8 + usize::from(u16_at(node, 6));
            let here = if flags & BIG == 0 { size as usize } else { 8 };
            let data = node.get(start..start + here).ok_or_else(|| damaged("an entry is unreadable"))?;
            if flags & TREE != 0 && data.len() < TREE_SIZE {
                return Err(damaged("an entry is unreadable"));
            }
            match flags & BIG {
                0 => visit(Node { flags, data })?,
                _ => visit(Node { flags, data: &self.overflow(u64_at(data, 0), size as usize)? })?,
            }
        }
        Ok(())
    }

    fn overflow(&self, number: u64, size: usize) -> Result<Vec<u8>> {
        let first = self.page(number)?;
        let fits = size as u64 <= self.pages * self.page_size;
        if u64_at(&first, 0) != number || u16_at(&first, 10) & OVERFLOW == 0 || !fits {
            return Err(damaged("a page is unreadable"));
        }
        let mut data = vec![0; size];
        let from = number * self.page_size + PAGE_HEAD as u64;
        self.file.read_exact_at(&mut data, from).map_err(|_| damaged("the file is cut off"))?;
        Ok(data)
    }

    /// The file may end before the last page it counts, if all the missing ones are free.
    fn free_covers_the_end(&self, meta: &Meta) -> Result<()> {
        if meta.last_page < self.pages {
            return Ok(());
        }
        let mut missing = meta.last_page + 1 - self.pages;
        self.tree(meta.free, MAX_DEPTH, &mut |node| {
            let ids = node.data.chunks_exact(8).skip(1).map(|id| u64_at(id, 0));
            missing =
                missing.saturating_sub(ids.filter(|id| (self.pages..=meta.last_page).contains(id)).count() as u64);
            Ok(())
        })?;
        if missing > 0 { Err(damaged("the file is cut off")) } else { Ok(()) }
    }
}

fn damaged(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0xFF; N])
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_ne_bytes(bytes_at(bytes, at))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(bytes_at(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(bytes_at(bytes, at))
}
