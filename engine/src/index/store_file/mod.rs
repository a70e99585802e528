//! Reads an LMDB file before LMDB maps it: LMDB trusts what it maps, and a page that is missing or nonsense ends the
//! process instead of the call.
//!
//! Nothing is mapped here, and no number in the file is believed before it is checked. The layout is LMDB's own: native byte
//! order, version 1.

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
/// Where in a meta page: after its head, magic, version, address and map size, the two trees.
const TREES: usize = PAGE_HEAD + 24;
const TREE_SIZE: usize = 48;
/// Flags of an environment that LMDB would map at an address the file names.
const FIXED_MAP: u16 = 0x01;

/// Checks the file in `folder` before it is opened. What was closed in order and sealed is compared with its seal; after a crash, and
/// without a seal, every page and every value is read.
///
/// # Errors
/// `NotFound`, or what [`is_damage`] knows, when LMDB must not be let at the file.
pub fn check(folder: &Path, content: Content, after_crash: bool) -> Result<()> {
    let store = Store::open(&folder.join(DATA_FILE))?;
    let meta = store.newest()?;
    if !after_crash && let Some(sealed) = seal::read(folder)? {
        return sealed.verify(&store, meta.transaction);
    }
    store.walk(&meta, content)
}

/// Checks an open file as the transaction `transaction` sees it, which must be read until this returns. `None` when a newer
/// transaction has taken its place at the beginning of the file.
///
/// # Errors
/// As [`check`].
pub fn check_open(folder: &Path, content: Content, transaction: u64) -> Result<Option<()>> {
    let store = Store::open(&folder.join(DATA_FILE))?;
    let metas = [store.meta(0)?, store.meta(1)?];
    match metas.into_iter().find(|meta| meta.transaction == transaction) {
        Some(meta) => store.walk(&meta, content).map(Some),
        None => Ok(None),
    }
}

/// Whether the error says that the file is damaged, rather than that it can't be read at the moment.
pub fn is_damage(error: &Error) -> bool {
    /// What the system says of a sector that can't be read.
    const EIO: i32 = 5;
    matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::NotFound)
        || error.raw_os_error() == Some(EIO)
}

struct Store {
    file: File,
    page_size: usize,
    /// Whole pages in the file.
    pages: u64,
}

/// What a meta page says.
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
        // The size of a page is in the first page.
        let mut start = [0; TREES + 4];
        file.read_exact_at(&mut start, 0).map_err(|_| damaged("the file is too short"))?;
        let page_size = u32_at(&start, TREES);
        if u32_at(&start, PAGE_HEAD) != MAGIC || !page_size.is_power_of_two() || !(512..=1 << 16).contains(&page_size) {
            return Err(damaged("its beginning is not an LMDB file's"));
        }
        let page_size = page_size as usize;
        Ok(Self { file, page_size, pages: length / page_size as u64 })
    }

    /// The meta page that LMDB would start from; both must be readable.
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

    /// Reads every page that the meta page leads to, and decodes what is in them.
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
                true => Err(damaged("a tree is where a value belongs")),
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
