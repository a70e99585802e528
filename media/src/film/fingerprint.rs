//! Perceptual fingerprints of ten frames in a film. They consist of a few bits that stay nearly the same however the film is encoded.
//!
//! Each frame has a dHash (Neal Krawetz, "Kind of Like That", 2013). The frame is scaled to nine by eight pixels, and one bit per pixel
//! tells whether the pixel's right neighbor is brighter. Therefore size, sharpness, brightness and contrast hardly matter.

use image::{GrayImage, ImageBuffer, Luma, imageops};
use lantern_catalog::fingerprints::{FRAMES, Frames};

/// Size at which frames are read. It is much larger than the hash needs.
const SIZE: (u32, u32) = (180, 160);
/// Bytes per frame.
const BYTES: usize = (SIZE.0 * SIZE.1) as usize;
/// Pixels up to this brightness (of 255) may belong to bars around the picture, which depend on the encoding.
const DARK: u8 = 32;
/// Minimum brightness range of a frame (of 255). A frame with a smaller range is plain, and its bits are noise.
const RANGE: u16 = 16;
/// One brightness step (of 255) as a difference in the 16-bit thumbnail.
const STEP: u16 = 257;

/// Returns the ffmpeg filters that produce such a frame.
pub(super) fn filter() -> String {
    format!("scale={}:{}:flags=area,format=gray", SIZE.0, SIZE.1)
}

/// Computes the fingerprint of the frames concatenated in `grey`. Missing frames have no hash.
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
        let cropped = imageops::crop_imm(frame, x, y, width, height).to_image();
        let fine = ImageBuffer::from_fn(width, height, |x, y| Luma([u16::from(cropped.get_pixel(x, y).0[0]) * STEP]));
        *place = hash(&imageops::thumbnail(&fine, 9, 8));
    }
    hashes
}

/// Returns x, y, width and height of the picture without bars. It covers everything that is bright in any frame.
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
    // Differences of less than a step are encoding noise.
    let brighter =
        |row: u32, at: u32| small.get_pixel(at + 1, row).0[0] > small.get_pixel(at, row).0[0].saturating_add(STEP);
    let bits = (0..8).flat_map(|row| (0..8).map(move |at| (row, at)));
    (range >= RANGE * STEP).then(|| bits.fold(0, |hash, (row, at)| hash << 1 | i64::from(brighter(row, at))))
}
