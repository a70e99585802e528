//! Decodes the bytes of an upload.

use std::io::Cursor;

use image::{
    AnimationDecoder, DynamicImage, ImageDecoder, ImageFormat, ImageReader, ImageResult, Limits,
    codecs::{gif::GifDecoder, png::PngDecoder, webp::WebPDecoder},
};

use super::{
    Rules,
    render::{PICTURE_TYPES, RefusedPicture},
};

/// Decodes a picture and turns it upright. Accepts at least this width and height and, for a kind that limits them, at most this many
/// frames.
pub(super) fn decode(
    bytes: &[u8],
    (least_width, least_height): (u32, u32),
    frames: Option<u32>,
    rules: &Rules,
) -> Result<DynamicImage, RefusedPicture> {
    // The format is detected from the first bytes, because the file name and the declared type cannot be trusted.
    let format = image::guess_format(bytes).map_err(|_| RefusedPicture::Type)?;
    if !PICTURE_TYPES.contains(&format.to_mime_type()) {
        return Err(RefusedPicture::Type);
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    // No format has more than eight bytes per pixel, and a decoder may need a copy.
    limits.max_alloc = Some(rules.max_pixels.saturating_mul(16));
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|_| RefusedPicture::Type)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if width.max(height) > rules.max_side || pixels > rules.max_pixels {
        return Err(RefusedPicture::Pixels);
    }
    if let Some(most) = frames
        && frames_up_to(most.saturating_add(1), bytes, format).map_err(|_| RefusedPicture::Type)? > most
    {
        return Err(RefusedPicture::Frames);
    }
    let orientation = decoder.orientation().map_err(|_| RefusedPicture::Type)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|_| RefusedPicture::Type)?;
    // The rotation is applied here, because metadata isn't stored.
    picture.apply_orientation(orientation);
    if picture.width() < least_width || picture.height() < least_height {
        return Err(RefusedPicture::Pixels);
    }
    Ok(picture)
}

/// Counts the frames of a picture of valid size, up to `most`.
fn frames_up_to(most: u32, bytes: &[u8], format: ImageFormat) -> ImageResult<u32> {
    let frames = match format {
        ImageFormat::Gif => GifDecoder::new(Cursor::new(bytes))?.into_frames(),
        ImageFormat::WebP => {
            let decoder = WebPDecoder::new(Cursor::new(bytes))?;
            if !decoder.has_animation() {
                return Ok(1);
            }
            decoder.into_frames()
        }
        ImageFormat::Png => {
            let decoder = PngDecoder::new(Cursor::new(bytes))?;
            if !decoder.is_apng()? {
                return Ok(1);
            }
            decoder.apng()?.into_frames()
        }
        _ => return Ok(1),
    };
    // A picture that is incomplete is refused later for that reason.
    Ok((0..most).zip(frames).map(|_| 1).sum())
}
