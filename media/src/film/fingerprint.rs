//! What ten frames of a film look like, in few bits that stay nearly the same however it is encoded.
//!
//! Each frame is a dHash (Neal Krawetz, "Kind of Like That", 2013): shrunk to nine by eight, a bit for each pixel and its right
//! neighbour says which is brighter. So size, sharpness, brightness and contrast hardly matter.

use image::{GrayImage, ImageBuffer, Luma, imageops};
use lantern_catalog::fingerprints::{FRAMES, Frames};

/// Size of the frames that are read: many times what they are shrunk to.
const SIZE: (u32, u32) = (180, 160);
/// Bytes of one.
const BYTES: usize = (SIZE.0 * SIZE.1) as usize;
/// Pixels up to this brightness, of 255, may be bars around the picture, which depend on who encoded it.
const DARK: u8 = 32;
/// Between the darkest and the brightest part of a frame, of 255: what has less is black or of one colour, and its bits are noise.
const RANGE: u16 = 16;
/// What one of the 255 steps counts in what was shrunk, which is finer.
const STEP: u16 = 257;

/// The filters that make such a frame.
pub(super) fn shrunk() -> String {
    format!("scale={}:{}:flags=area,format=gray", SIZE.0, SIZE.1)
}

/// The fingerprint of frames that lie one after the other in `grey`; those that aren't there tell nothing.
#[must_use]
pub fn of(grey: &[u8]) -> Frames {
    let frames: Vec<GrayImage> = grey
        .chunks_exact(BYTES)
        .take(FRAMES)
        .filter_map(|frame| GrayImage::from_raw(SIZE.0, SIZE.1, frame.to_vec()))
        .collect();
    let (x, y, width, height) = picture(&frames);
    let mut hashes = [None; FRAMES];
    for (place, frame) in hashes.iter_mut().zip(&frames) {
        let seen = imageops::crop_imm(frame, x, y, width, height).to_image();
        let fine = ImageBuffer::from_fn(width, height, |x, y| Luma([u16::from(seen.get_pixel(x, y).0[0]) * STEP]));
        *place = hash(&imageops::thumbnail(&fine, 9, 8));
    }
    hashes
}

/// Where the picture is, without bars: x, y, width and height of all that is bright in any of the frames.
fn picture(frames: &[GrayImage]) -> (u32, u32, u32, u32) {
    let bright = |x: u32, y: u32| frames.iter().any(|frame| frame.get_pixel(x, y).0[0] > DARK);
    let columns: Vec<u32> = (0..SIZE.0).filter(|x| (0..SIZE.1).any(|y| bright(*x, y))).collect();
    let rows: Vec<u32> = (0..SIZE.1).filter(|y| (0..SIZE.0).any(|x| bright(x, *y))).collect();
    match (columns.as_slice(), rows.as_slice()) {
        ([left, .., right], [top, .., bottom]) => (*left, *top, right - left + 1, bottom - top + 1),
        _ => (0, 0, SIZE.0, SIZE.1),
    }
}

fn hash(small: &ImageBuffer<Luma<u16>, Vec<u16>>) -> Option<i64> {
    let all = || small.pixels().map(|pixel| pixel.0[0]);
    let range = all().max()? - all().min()?;
    // Less than a step is what an encoder made of an even surface.
    let brighter =
        |row: u32, at: u32| small.get_pixel(at + 1, row).0[0] > small.get_pixel(at, row).0[0].saturating_add(STEP);
    let bits = (0..8).flat_map(|row| (0..8).map(move |at| (row, at)));
    (range >= RANGE * STEP).then(|| bits.fold(0, |hash, (row, at)| hash << 1 | i64::from(brighter(row, at))))
}
