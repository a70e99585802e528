//! Walks the trees in an LMDB file. Checks that every page exists, is valid and belongs to only one tree, and that keys ascend.

use std::cmp::Ordering;
use std::io::Result;

use super::page::{Node, PAGE_HEAD, Page, u16_at, u64_at};
use super::{Store, TREE_SIZE, damaged};

const NO_PAGE: u64 = u64::MAX;
/// Limit on the depth of a tree, higher than LMDB's limit.
const MAX_DEPTH: u16 = 32;
/// Number of meta pages, which belong to no tree.
const METAS: u64 = 2;
/// Flag: keys are integers in native byte order.
const INTEGER_KEYS: u16 = 0x08;
/// Flag: keys are compared from their end.
const REVERSE_KEYS: u16 = 0x02;

/// Record that describes a tree in the file.
pub struct Tree {
    pub flags: u16,
    depth: u16,
    entries: u64,
    root: u64,
}

impl Tree {
    pub fn read(record: &[u8]) -> Result<Self> {
        if record.len() < TREE_SIZE {
            return Err(damaged("an entry is unreadable"));
        }
        let (flags, depth) = (u16_at(record, 4), u16_at(record, 6));
        Ok(Self { flags, depth, entries: u64_at(record, 32), root: u64_at(record, 40) })
    }
}

/// Pages reached so far.
pub struct Walk<'s> {
    store: &'s Store,
    last_page: u64,
    reached: Vec<u64>,
}

/// The walk's position in one tree.
struct Position<'t> {
    tree: &'t Tree,
    entries: u64,
    /// Last key seen in a leaf.
    last: Option<Vec<u8>>,
    /// Lower bound of the next key.
    floor: Option<Vec<u8>>,
}

type Visit<'v> = dyn FnMut(&[u8], Node<'_>) -> Result<()> + 'v;

impl<'s> Walk<'s> {
    /// Starts a walk through the pages up to `last_page`.
    pub fn new(store: &'s Store, last_page: u64) -> Result<Self> {
        // The file may end before its last page if all missing pages are free. The file must then list each of them as free.
        let most = store.pages.saturating_add(store.pages.saturating_mul(store.page_size as u64 / 8));
        if last_page >= most {
            return Err(damaged("the file is cut off"));
        }
        let words = usize::try_from(last_page / 64 + 1).map_err(|_| damaged("the file is cut off"))?;
        Ok(Self { store, last_page, reached: vec![0; words] })
    }

    /// Visits every entry of a tree.
    pub fn tree(&mut self, tree: &Tree, visit: &mut Visit<'_>) -> Result<()> {
        if tree.flags & !(INTEGER_KEYS | REVERSE_KEYS) != 0 || tree.depth > MAX_DEPTH {
            return Err(damaged("a tree is of an unknown kind"));
        }
        let mut position = Position { tree, entries: 0, last: None, floor: None };
        if tree.root != NO_PAGE {
            self.subtree(tree.root, tree.depth, &mut position, visit)?;
        }
        match (position.entries == tree.entries) && (tree.root == NO_PAGE) == (tree.depth == 0) {
            true => Ok(()),
            false => Err(damaged("a tree lacks entries")),
        }
    }

    /// Visits everything below a page. `depth` is the number of pages from this one down to a leaf, both included.
    fn subtree(&mut self, number: u64, depth: u16, at: &mut Position<'_>, visit: &mut Visit<'_>) -> Result<()> {
        self.claim(number, 1)?;
        let page = self.store.page(number)?;
        let depth = depth.checked_sub(1).ok_or_else(|| damaged("a tree has no end"))?;
        if page.is_leaf()? != (depth == 0) {
            return Err(damaged("a tree is of different depths"));
        }
        if depth == 0 {
            return self.leaf(&page, at, visit);
        }
        for entry in 0..page.len() {
            let (child, least) = page.branch(entry)?;
            // LMDB never reads the first key of a branch.
            if entry > 0 {
                at.check_separator(least)?;
            }
            self.subtree(child, depth, at, visit)?;
        }
        Ok(())
    }

    fn leaf(&mut self, page: &Page, at: &mut Position<'_>, visit: &mut Visit<'_>) -> Result<()> {
        for entry in 0..page.len() {
            let entry = page.leaf(entry)?;
            at.advance(entry.key)?;
            let elsewhere = match entry.overflow() {
                Some((number, size)) => Some(self.overflow(number, size)?),
                None => None,
            };
            visit(entry.key, entry.node(elsewhere))?;
        }
        Ok(())
    }

    /// Reads a value of `size` bytes that starts on page `number`.
    fn overflow(&mut self, number: u64, size: usize) -> Result<Vec<u8>> {
        let pages = self.store.page(number)?.overflow_pages()?;
        self.claim(number, pages)?;
        let room = usize::try_from(pages).unwrap_or(0).saturating_mul(self.store.page_size);
        if PAGE_HEAD.saturating_add(size) > room {
            return Err(damaged("a value is longer than its pages"));
        }
        let mut value = vec![0; size];
        let from = number * self.store.page_size as u64 + PAGE_HEAD as u64;
        std::os::unix::fs::FileExt::read_exact_at(&self.store.file, &mut value, from)?;
        Ok(value)
    }

    /// Marks pages as reached. Fails if any was reached before.
    fn claim(&mut self, first: u64, count: u64) -> Result<()> {
        match first.checked_add(count) {
            Some(end) if end <= self.store.pages => self.mark_reached(first, end),
            _ => Err(damaged("the file is cut off")),
        }
    }

    fn mark_reached(&mut self, first: u64, end: u64) -> Result<()> {
        if first < METAS || end > self.last_page + 1 {
            return Err(damaged("a page is outside of the file"));
        }
        for page in first..end {
            let (word, bit) = ((page / 64) as usize, 1 << (page % 64));
            match self.reached.get_mut(word) {
                Some(word) if *word & bit == 0 => *word |= bit,
                _ => return Err(damaged("a page is used twice")),
            }
        }
        Ok(())
    }

    /// Reads the tree of free pages. None of them may be in use, and all pages missing at the end of the file must be listed.
    pub fn free_pages(&mut self, free: &Tree) -> Result<()> {
        let mut lists = Vec::new();
        self.tree(free, &mut |key, node| {
            let ids: Vec<u64> = node.value.chunks_exact(8).map(|id| u64_at(id, 0)).collect();
            match ids.split_first() {
                Some((&count, rest)) if key.len() == 8 && count <= rest.len() as u64 => {
                    lists.push(rest[..count as usize].to_vec());
                    Ok(())
                }
                _ => Err(damaged("the list of free pages is unreadable")),
            }
        })?;
        let mut missing = (self.last_page + 1).saturating_sub(self.store.pages);
        for id in lists.into_iter().flatten() {
            let end = id.checked_add(1).ok_or_else(|| damaged("a page is outside of the file"))?;
            self.mark_reached(id, end)?;
            missing -= u64::from(id >= self.store.pages);
        }
        if missing > 0 { Err(damaged("the file is cut off")) } else { Ok(()) }
    }
}

impl Position<'_> {
    fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        match self.tree.flags {
            flags if flags & INTEGER_KEYS != 0 => number(a).cmp(&number(b)),
            flags if flags & REVERSE_KEYS != 0 => a.iter().rev().cmp(b.iter().rev()),
            _ => a.cmp(b),
        }
    }

    /// Checks that a branch entry's key is greater than all keys so far, and not greater than any that follow.
    fn check_separator(&mut self, least: &[u8]) -> Result<()> {
        if self.last.as_ref().is_none_or(|last| self.compare(last, least) != Ordering::Less) {
            return Err(damaged("keys are in disorder"));
        }
        self.floor = Some(least.to_vec());
        Ok(())
    }

    fn advance(&mut self, key: &[u8]) -> Result<()> {
        let rises = self.last.as_ref().is_none_or(|last| self.compare(last, key) == Ordering::Less);
        let fits = self.floor.take().is_none_or(|floor| self.compare(&floor, key) != Ordering::Greater);
        if !rises || !fits {
            return Err(damaged("keys are in disorder"));
        }
        self.entries += 1;
        let last = self.last.get_or_insert_default();
        last.clear();
        last.extend_from_slice(key);
        Ok(())
    }
}

/// Reads an integer key in native byte order, 4 or 8 bytes wide.
fn number(key: &[u8]) -> u64 {
    match key.len() {
        4 => u64::from(super::u32_at(key, 0)),
        _ => u64_at(key, 0),
    }
}
