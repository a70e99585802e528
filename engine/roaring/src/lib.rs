//! The bitmaps of roaring 0.12 under the names of 0.10, which milli-core and arroy are written for.
//!
//! What 0.12 gives: two bitmaps are compared by words of 64 bits, not bit by bit. milli compares the documents of each word that a
//! rewritten document keeps, which was four fifths of the time a change took (docs/FIGURES.md).

mod ops;
#[cfg(feature = "serde")]
mod serde;

/// Iterators of a bitmap.
pub mod bitmap {
    pub use bitmaps::bitmap::{IntoIter, Iter, Statistics};

    pub use crate::RoaringBitmap;
}

use std::{
    fmt,
    io::{self, Read},
    ops::{Deref, DerefMut},
};

pub use bitmaps::{NonSortedIntegers, RoaringTreemap};
pub use ops::MultiOps;

/// A set of numbers. What is not here is the method of [`bitmaps::RoaringBitmap`], which this is in all but name.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RoaringBitmap(bitmaps::RoaringBitmap);

impl RoaringBitmap {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Every number there is.
    pub fn full() -> Self {
        Self(bitmaps::RoaringBitmap::full())
    }

    /// Whether there is none in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a number that is greater than all in it; answers whether it was.
    pub fn push(&mut self, value: u32) -> bool {
        self.0.try_push(value).is_ok()
    }

    /// A bitmap of numbers in rising order.
    ///
    /// # Errors
    ///
    /// A number is not greater than the one before.
    pub fn from_sorted_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Result<Self, NonSortedIntegers> {
        bitmaps::RoaringBitmap::from_sorted_iter(numbers).map(Self)
    }

    /// Reads what [`serialize_into`](bitmaps::RoaringBitmap::serialize_into) wrote.
    ///
    /// # Errors
    ///
    /// The reader fails, or what it gives is no bitmap.
    pub fn deserialize_from<R: Read>(reader: R) -> io::Result<Self> {
        bitmaps::RoaringBitmap::deserialize_from(reader).map(Self)
    }

    /// Reads what [`serialize_into`](bitmaps::RoaringBitmap::serialize_into) wrote and looks at less of it.
    ///
    /// # Errors
    ///
    /// The reader fails, or what it gives is no bitmap.
    pub fn deserialize_unchecked_from<R: Read>(reader: R) -> io::Result<Self> {
        bitmaps::RoaringBitmap::deserialize_unchecked_from(reader).map(Self)
    }

    /// What it shares with one that is still bytes.
    ///
    /// # Errors
    ///
    /// The reader fails, or what it gives is no bitmap.
    pub fn intersection_with_serialized_unchecked<R: Read + io::Seek>(&self, other: R) -> io::Result<Self> {
        self.0.intersection_with_serialized_unchecked(other).map(Self)
    }
}

impl Deref for RoaringBitmap {
    type Target = bitmaps::RoaringBitmap;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for RoaringBitmap {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl fmt::Debug for RoaringBitmap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl IntoIterator for RoaringBitmap {
    type Item = u32;
    type IntoIter = bitmap::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a RoaringBitmap {
    type Item = u32;
    type IntoIter = bitmap::Iter<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<const N: usize> From<[u32; N]> for RoaringBitmap {
    fn from(numbers: [u32; N]) -> Self {
        Self(numbers.into())
    }
}

impl FromIterator<u32> for RoaringBitmap {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        Self(numbers.into_iter().collect())
    }
}

impl<'a> FromIterator<&'a u32> for RoaringBitmap {
    fn from_iter<I: IntoIterator<Item = &'a u32>>(numbers: I) -> Self {
        Self(numbers.into_iter().collect())
    }
}

impl Extend<u32> for RoaringBitmap {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, numbers: I) {
        self.0.extend(numbers);
    }
}

impl<'a> Extend<&'a u32> for RoaringBitmap {
    fn extend<I: IntoIterator<Item = &'a u32>>(&mut self, numbers: I) {
        self.0.extend(numbers);
    }
}
