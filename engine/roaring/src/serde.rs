//! Serialization in the format of roaring.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::RoaringBitmap;

impl Serialize for RoaringBitmap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RoaringBitmap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        bitmaps::RoaringBitmap::deserialize(deserializer).map(Self)
    }
}
