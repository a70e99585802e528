//! Reproducible pictures.

use image::{Rgb, RgbImage};

/// Generates a picture that is rich in detail. It has light and dark spots of several sizes, of which the large ones are strongest, as in
/// photographs. The seed determines the picture. Another size yields the same picture, scaled.
#[must_use]
pub fn scene(seed: u32, wide: u32, high: u32) -> RgbImage {
    RgbImage::from_fn(wide, high, |x, y| {
        let (x, y) = (x as f32 / wide as f32, y as f32 / high as f32);
        let light: f32 =
            [(4, 0.5), (8, 0.3), (16, 0.2)].iter().map(|(spots, share)| share * spot(seed, *spots, x, y)).sum();
        // A sum of several values is rarely near its extremes, so stretch the contrast.
        let bright = ((light - 0.5) * 510.0 + 128.0) as u8;
        Rgb([bright, bright, 255 - bright])
    })
}

/// Returns the brightness, from 0 to 1, at a point in a field with `spots` spots per row.
fn spot(seed: u32, spots: u32, x: f32, y: f32) -> f32 {
    let (x, y) = (x * spots as f32, y * spots as f32);
    let (column, row) = (x as u32, y as u32);
    let (right, down) = (x.fract(), y.fract());
    let at = |column, row| random(seed ^ (spots << 24) ^ (row << 12) ^ column);
    let mix = |one: f32, other: f32, share: f32| one + (other - one) * share;
    let above = mix(at(column, row), at(column + 1, row), right);
    mix(above, mix(at(column, row + 1), at(column + 1, row + 1), right), down)
}

/// Maps a number to a pseudo-random number from 0 to 1.
fn random(number: u32) -> f32 {
    // This is the finalizer of MurmurHash3.
    let mixed = (number ^ (number >> 16)).wrapping_mul(0x85eb_ca6b);
    let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
    ((mixed ^ (mixed >> 16)) >> 8) as f32 / (1 << 24) as f32
}
