//! Converts the bytes of an upload to the bytes that are stored.

use image::{DynamicImage, Rgb, RgbImage, codecs::jpeg::JpegEncoder, imageops::FilterType};

use super::{
    Kind, Rules,
    apart::{Job, Rendering},
    decode::decode,
    look,
};

/// Media types of accepted pictures.
pub const PICTURE_TYPES: [&str; 4] = ["image/jpeg", "image/png", "image/webp", "image/gif"];

/// Reasons for refusing a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RefusedPicture {
    /// The file is not a complete JPEG, PNG, WebP or GIF.
    #[error("the picture format is not accepted")]
    Type,
    /// The file is too large.
    #[error("the file is too large")]
    Bytes,
    /// The picture has too many or too few pixels.
    #[error("the picture is too large or too small")]
    Pixels,
    /// The picture is animated, but pictures of its kind must not be.
    #[error("the picture has too many frames")]
    Frames,
    /// The crop isn't within the picture.
    #[error("the crop exceeds the picture")]
    Outside,
    /// The crop has too few pixels.
    #[error("the crop is too small")]
    SmallCrop,
}

impl RefusedPicture {
    /// Returns its code in `config/errors.toml`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Type => "file_invalid_type",
            Self::Bytes => "file_too_large",
            Self::Pixels => "invalid_img_size",
            Self::Frames => "photo_animated",
            Self::Outside => "crop_outside",
            Self::SmallCrop => "crop_too_small",
        }
    }
}

/// Aspect ratio to which a picture is cropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Width of the ratio.
    pub wide: u32,
    /// Height of the ratio.
    pub high: u32,
}

/// Maximum ratio of height to width for uncropped pictures. A picture with a higher ratio becomes narrower than its file name says.
const MAX_RATIO: u32 = 2;

impl Kind {
    /// Returns the aspect ratio to crop to, or `None` if the picture stays uncropped.
    #[must_use]
    pub const fn shape(self) -> Option<Shape> {
        match self {
            Self::Avatar => Some(Shape { wide: 1, high: 1 }),
            Self::Cover => Some(Shape { wide: 5, high: 1 }),
            Self::Photo => None,
            Self::Poster => Some(Shape { wide: 16, high: 9 }),
        }
    }

    /// Returns the minimum width and height.
    const fn least(self, rules: &Rules) -> (u32, u32) {
        match self {
            Self::Avatar => rules.avatar_min,
            Self::Cover => rules.cover_min,
            Self::Photo => rules.photo_min,
            Self::Poster => rules.poster_min,
        }
    }
}

/// Returns the maximum file size, in bytes.
pub const fn max_bytes(kind: Option<Kind>, rules: &Rules) -> usize {
    if matches!(kind, Some(Kind::Photo)) { rules.photo_bytes } else { rules.max_bytes }
}

/// Returns the picture, or the part that the job names, as JPEGs in all widths of its kind. Without a kind, returns it in its original size.
pub fn sizes(bytes: &[u8], Job { kind, crop, rules }: &Job) -> Result<Rendering, RefusedPicture> {
    let kind = *kind;
    if bytes.len() > max_bytes(kind, rules) {
        return Err(RefusedPicture::Bytes);
    }
    let (least, frames) = match kind {
        Some(Kind::Photo) => (Kind::Photo.least(rules), Some(rules.photo_frames)),
        Some(kind) => (kind.least(rules), None),
        None => ((1, 1), None),
    };
    let mut picture = decode(bytes, least, frames, rules)?;
    let (width, height) = (picture.width(), picture.height());
    let mut looks = look::looks(&picture, rules.look_quality);
    if let Some(crop) = crop {
        picture = crop.cut(&picture, least)?;
        looks.extend(look::looks(&picture, rules.look_quality));
    }
    let (own, mut sizes) = ([picture.width()], Vec::new());
    for most in kind.map_or(&own[..], |kind| kind.widths()) {
        // Each size is scaled from the previous one, so that the original is processed only once.
        picture = match kind.map(Kind::shape) {
            Some(Some(shape)) => picture.resize_to_fill(*most, most * shape.high / shape.wide, FilterType::CatmullRom),
            Some(None) if picture.width() > *most || picture.height() > most * MAX_RATIO => {
                picture.resize(*most, most * MAX_RATIO, FilterType::CatmullRom)
            }
            _ => picture,
        };
        // The stored picture may be uploaded again.
        if sizes.is_empty() && kind.is_some_and(|kind| kind.shape().is_some()) {
            looks.extend(look::looks(&picture, rules.look_quality).into_iter().take(1));
        }
        sizes.push((*most, jpeg(&picture, rules)?));
    }
    Ok(Rendering { width, height, looks, sizes })
}

fn jpeg(picture: &DynamicImage, rules: &Rules) -> Result<Vec<u8>, RefusedPicture> {
    let mut jpeg = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut jpeg, rules.quality);
    encoder.encode_image(&on_white(picture)).map_err(|_| RefusedPicture::Type)?;
    Ok(jpeg)
}

/// Replaces transparency, which JPEG doesn't support, with white.
pub(super) fn on_white(picture: &DynamicImage) -> RgbImage {
    let rgba = picture.to_rgba8();
    let mut flat = RgbImage::new(rgba.width(), rgba.height());
    for (to, from) in flat.pixels_mut().zip(rgba.pixels()) {
        let [red, green, blue, alpha] = from.0.map(u32::from);
        let over = |color: u32| ((color * alpha + 255 * (255 - alpha)) / 255) as u8;
        *to = Rgb([over(red), over(green), over(blue)]);
    }
    flat
}
