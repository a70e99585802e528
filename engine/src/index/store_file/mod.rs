//! Checks an LMDB file before LMDB maps it. LMDB trusts the mapped file, so a missing or invalid page kills the process instead of making
//! the call fail.
//!
//! Nothing is mapped here, and every number in the file is validated before use. The layout is version 1 of LMDB's format, in native byte
//! order.

mod content;
mod page;
mod seal;
mod tree;

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::FileExt;
use std::path::Path;

use content::Census;
pub use content::Content;
use page::{PAGE_HEAD, Page, u32_at, u64_at};
pub use seal::seal;
use tree::{Tree, Walk};

use super::DATA_FILE;

const MAGIC: u32 = 0xBEEF_C0DE;
const VERSION: u32 = 1;
const META: u16 = 0x08;
/// Offset of the two trees in a meta page. They follow the head, magic number, version, address and map size.
const TREES: usize = PAGE_HEAD + 24;
const TREE_SIZE: usize = 48;
/// Flag for an environment that LMDB would map at an address given in the file.
const FIXED_MAP: u16 = 0x01;

/// Checks the file in `folder` before it is opened. A store that was closed cleanly and sealed is compared with its seal. After a crash, or
/// without a seal, every page and every value is read.
///
/// # Errors
/// Returns `NotFound`, or an error that [`is_damage`] recognizes, if LMDB must not open the file.
pub fn check(folder: &Path, content: Content, after_crash: bool) -> Result<()> {
    let store = Store::open(&folder.join(DATA_FILE))?;
    let meta = store.newest()?;
    if !after_crash && let Some(sealed) = seal::read(folder)? {
        return sealed.verify(&store, meta.transaction);
    }
    store.walk(&meta, content)
}

/// Checks an open file as seen by `transaction`, which must stay open for reading until this returns. Returns `None`
/// if a newer transaction has replaced its meta page.
///
/// # Errors
/// Same as [`check`].
pub fn check_open(folder: &Path, content: Content, transaction: u64) -> Result<Option<()>> {
    let store = Store::open(&folder.join(DATA_FILE))?;
    let metas = [store.meta(0)?, store.meta(1)?];
    match metas.into_iter().find(|meta| meta.transaction == transaction) {
        Some(meta) => store.walk(&meta, content).map(Some),
        None => Ok(None),
    }
}

/// Returns whether the error means that the file is damaged rather than temporarily unreadable.
pub fn is_damage(error: &Error) -> bool {
    /// Error code for an unreadable sector.
    const EIO: i32 = 5;
    matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::NotFound)
        || error.raw_os_error() == Some(EIO)
}

struct Store {
    file: File,
    page_size: usize,
    /// Number of whole pages in the file.
    pages: u64,
}

/// Contents of a meta page.
struct Meta {
    free: Tree,
    main: Tree,
    last_page: u64,
    transaction: u64,
}

impl Store {
    fn open(path: &Path) -> Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        // The first page holds the page size.
        let mut start = [0; TREES + 4];
        file.read_exact_at(&mut start, 0).map_err(|_| damaged("the file is too short"))?;
        let page_size = u32_at(&start, TREES);
        if u32_at(&start, PAGE_HEAD) != MAGIC || !page_size.is_power_of_two() || !(512..=1 << 16).contains(&page_size) {
            return Err(damaged("the file doesn't start like an LMDB file"));
        }
        let page_size = page_size as usize;
        Ok(Self { file, page_size, pages: length / page_size as u64 })
    }

    /// Returns the meta page that LMDB would start from. Both meta pages must be readable.
    fn newest(&self) -> Result<Meta> {
        let (first, second) = (self.meta(0)?, self.meta(1)?);
        Ok(if first.transaction < second.transaction { second } else { first })
    }

    fn meta(&self, number: u64) -> Result<Meta> {
        let page = self.page(number)?;
        let bytes = page.bytes();
        let is_meta = page.flags() & META != 0
            && u32_at(bytes, PAGE_HEAD) == MAGIC
            && u32_at(bytes, PAGE_HEAD + 4) == VERSION
            && u32_at(bytes, TREES) as usize == self.page_size;
        let tree = |at: usize| Tree::read(bytes.get(at..).unwrap_or_default());
        let after = TREES + 2 * TREE_SIZE;
        let (free, main) = (tree(TREES)?, tree(TREES + TREE_SIZE)?);
        if !is_meta || free.flags & FIXED_MAP != 0 || main.flags != 0 {
            return Err(damaged("a meta page is unreadable"));
        }
        Ok(Meta { free, main, last_page: u64_at(bytes, after), transaction: u64_at(bytes, after + 8) })
    }

    fn page(&self, number: u64) -> Result<Page> {
        if number >= self.pages {
            return Err(damaged("the file is cut off"));
        }
        let mut bytes = vec![0; self.page_size];
        self.file.read_exact_at(&mut bytes, number * self.page_size as u64)?;
        Ok(Page::new(number, bytes))
    }

    /// Reads every page that is reachable from the meta page, and decodes the values.
    fn walk(&self, meta: &Meta, content: Content) -> Result<()> {
        let mut walk = Walk::new(self, meta.last_page)?;
        let mut trees = Vec::new();
        walk.tree(&meta.main, &mut |key, node| {
            if node.is_tree() {
                trees.push((key.to_vec(), Tree::read(&node.value)?));
            }
            Ok(())
        })?;
        let mut census = Census::default();
        for (name, tree) in &trees {
            walk.tree(tree, &mut |key, node| match node.is_tree() {
                true => Err(damaged("a tree is in place of a value")),
                false => content.value(name, key, &node.value, &mut census),
            })?;
        }
        census.compare()?;
        walk.free_pages(&meta.free)
    }
}

fn damaged(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}
