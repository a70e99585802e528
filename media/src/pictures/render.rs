//! From the bytes of an upload to the bytes that are stored.

use std::io::Cursor;

use image::{
    DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgb, RgbImage, codecs::jpeg::JpegEncoder,
    imageops::FilterType,
};

use super::{Kind, Rules};

/// Why a picture is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Not a JPEG, PNG, WebP or GIF that can be read to its end.
    #[error("not a picture of a kind that is accepted")]
    Type,
    /// More bytes than are accepted.
    #[error("the file is too large")]
    Bytes,
    /// Too many pixels, or too few.
    #[error("the picture is too large or too small")]
    Pixels,
}

/// What a picture is cropped to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Parts of the width for every part of the height.
    pub wide: u32,
}

impl Kind {
    /// Its shape.
    #[must_use]
    pub const fn shape(self) -> Shape {
        Shape { wide: if matches!(self, Self::Avatar) { 1 } else { 5 } }
    }
}

/// The picture as JPEG in every width of its kind; without one the whole picture in its own.
pub fn sizes(bytes: &[u8], kind: Option<Kind>, rules: &Rules) -> Result<Vec<(u32, Vec<u8>)>, Refused> {
    if bytes.len() > rules.max_bytes {
        return Err(Refused::Bytes);
    }
    let Some(kind) = kind else {
        let picture = decode(bytes, (1, 1), rules)?;
        return Ok(vec![(picture.width(), jpeg(&picture, rules)?)]);
    };
    let least = match kind {
        Kind::Avatar => rules.avatar_min,
        Kind::Cover => rules.cover_min,
    };
    let mut picture = decode(bytes, least, rules)?;
    let mut sizes = Vec::new();
    for width in kind.widths() {
        // Each size from the one before: the original is looked at once.
        picture = picture.resize_to_fill(*width, width / kind.shape().wide, FilterType::CatmullRom);
        sizes.push((*width, jpeg(&picture, rules)?));
    }
    Ok(sizes)
}

fn jpeg(picture: &DynamicImage, rules: &Rules) -> Result<Vec<u8>, Refused> {
    let mut jpeg = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut jpeg, rules.quality);
    encoder.encode_image(&on_white(picture)).map_err(|_| Refused::Type)?;
    Ok(jpeg)
}

fn decode(bytes: &[u8], (least_width, least_height): (u32, u32), rules: &Rules) -> Result<DynamicImage, Refused> {
    // By the first bytes; a file's name and declared type are its sender's word.
    let format = image::guess_format(bytes).map_err(|_| Refused::Type)?;
    if !matches!(format, ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP | ImageFormat::Gif) {
        return Err(Refused::Type);
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    // Eight bytes a pixel is the most a format has, and a decoder may need a copy.
    limits.max_alloc = Some(rules.max_pixels.saturating_mul(16));
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|_| Refused::Type)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if width.max(height) > rules.max_side || pixels > rules.max_pixels {
        return Err(Refused::Pixels);
    }
    let orientation = decoder.orientation().map_err(|_| Refused::Type)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|_| Refused::Type)?;
    // Turned for good: the mark that says so isn't stored.
    picture.apply_orientation(orientation);
    if picture.width() < least_width || picture.height() < least_height {
        return Err(Refused::Pixels);
    }
    Ok(picture)
}

/// JPEG has no transparency.
fn on_white(picture: &DynamicImage) -> RgbImage {
    let rgba = picture.to_rgba8();
    let mut flat = RgbImage::new(rgba.width(), rgba.height());
    for (to, from) in flat.pixels_mut().zip(rgba.pixels()) {
        let [red, green, blue, alpha] = from.0.map(u32::from);
        let over = |colour: u32| ((colour * alpha + 255 * (255 - alpha)) / 255) as u8;
        *to = Rgb([over(red), over(green), over(blue)]);
    }
    flat
}
