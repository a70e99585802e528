//! The bitmaps of roaring 0.12 behind the API of 0.10, which milli-core and arroy require.
//!
//! The advantage of 0.12 is that it compares bitmaps by 64-bit words instead of bit by bit. For every word that a rewritten document
//! retains, milli compares document sets, which took four fifths of the time of a change (docs/FIGURES.md).

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

/// A set of numbers. Methods missing here come from [`bitmaps::RoaringBitmap`] by `Deref`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RoaringBitmap(bitmaps::RoaringBitmap);

impl RoaringBitmap {
    /// Creates an empty bitmap.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a bitmap of all numbers.
    pub fn full() -> Self {
        Self(bitmaps::RoaringBitmap::full())
    }

    /// Returns whether the bitmap is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds `value` if it is greater than every number in the bitmap. Returns whether it was added.
    pub fn push(&mut self, value: u32) -> bool {
        self.0.try_push(value).is_ok()
    }

    /// Creates a bitmap from numbers in ascending order.
    ///
    /// # Errors
    ///
    /// Fails if a number is not greater than its predecessor.
    pub fn from_sorted_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Result<Self, NonSortedIntegers> {
        bitmaps::RoaringBitmap::from_sorted_iter(numbers).map(Self)
    }

    /// Deserializes the output of [`serialize_into`](bitmaps::RoaringBitmap::serialize_into).
    ///
    /// # Errors
    ///
    /// Fails if the reader fails or the data is not a valid bitmap.
    pub fn deserialize_from<R: Read>(reader: R) -> io::Result<Self> {
        bitmaps::RoaringBitmap::deserialize_from(reader).map(Self)
    }

    /// Deserializes the output of [`serialize_into`](bitmaps::RoaringBitmap::serialize_into) with fewer checks.
    ///
    /// # Errors
    ///
    /// Fails if the reader fails or the data is not a valid bitmap.
    pub fn deserialize_unchecked_from<R: Read>(reader: R) -> io::Result<Self> {
        bitmaps::RoaringBitmap::deserialize_unchecked_from(reader).map(Self)
    }

    /// Intersects with a serialized bitmap.
    ///
    /// # Errors
    ///
    /// Fails if the reader fails or the data is not a valid bitmap.
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
