//! Union, intersection, difference: of two with operators, of many with [`MultiOps`].

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Sub, SubAssign};

use crate::RoaringBitmap;

/// An operator for values and references on either side.
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

/// What many bitmaps have together, as [`bitmaps::MultiOps`], which is not ours to say of other types.
pub trait MultiOps<T>: IntoIterator<Item = T> {
    /// A bitmap, or the error that came instead of one.
    type Output;

    /// What is in any.
    fn union(self) -> Self::Output;

    /// What is in all.
    fn intersection(self) -> Self::Output;

    /// What is in the first and in no other.
    fn difference(self) -> Self::Output;

    /// What is in an odd number of them.
    fn symmetric_difference(self) -> Self::Output;
}

/// The operations of items that may be seen as bitmaps of the other kind, and a result that may be seen as ours.
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
