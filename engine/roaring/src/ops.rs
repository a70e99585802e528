//! Union, intersection and difference. Operators combine two bitmaps, and [`MultiOps`] combines many.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Sub, SubAssign};

use crate::RoaringBitmap;

/// Implements an operator for values and references on either side.
macro_rules! operator {
    ($of:ident $run:ident $of_assign:ident $run_assign:ident) => {
        impl $of for RoaringBitmap {
            type Output = Self;

            fn $run(self, other: Self) -> Self {
                Self(self.0.$run(other.0))
            }
        }

        impl $of<&Self> for RoaringBitmap {
            type Output = Self;

            fn $run(self, other: &Self) -> Self {
                Self(self.0.$run(&other.0))
            }
        }

        impl $of<RoaringBitmap> for &RoaringBitmap {
            type Output = RoaringBitmap;

            fn $run(self, other: RoaringBitmap) -> RoaringBitmap {
                RoaringBitmap((&self.0).$run(other.0))
            }
        }

        impl $of for &RoaringBitmap {
            type Output = RoaringBitmap;

            fn $run(self, other: Self) -> RoaringBitmap {
                RoaringBitmap((&self.0).$run(&other.0))
            }
        }

        impl $of_assign for RoaringBitmap {
            fn $run_assign(&mut self, other: Self) {
                self.0.$run_assign(other.0);
            }
        }

        impl $of_assign<&Self> for RoaringBitmap {
            fn $run_assign(&mut self, other: &Self) {
                self.0.$run_assign(&other.0);
            }
        }
    };
}

operator!(BitOr bitor BitOrAssign bitor_assign);
operator!(BitAnd bitand BitAndAssign bitand_assign);
operator!(Sub sub SubAssign sub_assign);
operator!(BitXor bitxor BitXorAssign bitxor_assign);

/// Set operations on many bitmaps. Mirrors [`bitmaps::MultiOps`], a foreign trait that cannot be implemented for all types needed here.
pub trait MultiOps<T>: IntoIterator<Item = T> {
    /// A bitmap, or a `Result` with one.
    type Output;

    /// Numbers in any of the bitmaps.
    fn union(self) -> Self::Output;

    /// Numbers in all of the bitmaps.
    fn intersection(self) -> Self::Output;

    /// Numbers in the first bitmap and in no other.
    fn difference(self) -> Self::Output;

    /// Numbers in an odd number of the bitmaps.
    fn symmetric_difference(self) -> Self::Output;
}

/// Implements [`MultiOps`] for one item type. `$inner` unwraps an item, and `$outer` wraps the result.
macro_rules! multi_ops {
    ([$($of:tt)*] $item:ty => $output:ty, $inner:expr, $outer:expr) => {
        impl<$($of)* I: IntoIterator<Item = $item>> MultiOps<$item> for I {
            type Output = $output;

            fn union(self) -> Self::Output {
                $outer(bitmaps::MultiOps::union(self.into_iter().map($inner)))
            }

            fn intersection(self) -> Self::Output {
                $outer(bitmaps::MultiOps::intersection(self.into_iter().map($inner)))
            }

            fn difference(self) -> Self::Output {
                $outer(bitmaps::MultiOps::difference(self.into_iter().map($inner)))
            }

            fn symmetric_difference(self) -> Self::Output {
                $outer(bitmaps::MultiOps::symmetric_difference(self.into_iter().map($inner)))
            }
        }
    };
}

multi_ops!([] RoaringBitmap => RoaringBitmap, |item| item.0, RoaringBitmap);
multi_ops!(['a,] &'a RoaringBitmap => RoaringBitmap, |item| &item.0, RoaringBitmap);
multi_ops!([E,] Result<RoaringBitmap, E> => Result<RoaringBitmap, E>, |item| item.map(|one| one.0), |all| {
    Result::map(all, RoaringBitmap)
});
multi_ops!(['a, E: 'a,] Result<&'a RoaringBitmap, E> => Result<RoaringBitmap, E>, |item| item.map(|one| &one.0), |all| {
    Result::map(all, RoaringBitmap)
});
