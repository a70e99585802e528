//! Decodes the bytes of an upload.

use std::io::Cursor;

use image::{
    AnimationDecoder, DynamicImage, ImageDecoder, ImageFormat, ImageReader, ImageResult, Limits,
    codecs::{gif::GifDecoder, png::PngDecoder, webp::WebPDecoder},
};

use super::{
    Rules, cmyk, colors,
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
    if !is_whole(bytes, format) {
        return Err(RefusedPicture::Type);
    }
    let orientation = decoder.orientation().map_err(|_| RefusedPicture::Type)?;
    let mut picture = in_srgb(decoder, bytes, format).map_err(|_| RefusedPicture::Type)?;
    // The rotation is applied here, because metadata isn't stored.
    picture.apply_orientation(orientation);
    if picture.width() < least_width || picture.height() < least_height {
        return Err(RefusedPicture::Pixels);
    }
    Ok(picture)
}

/// Decodes a picture and converts its colors to sRGB.
fn in_srgb(mut decoder: impl ImageDecoder, bytes: &[u8], format: ImageFormat) -> ImageResult<DynamicImage> {
    // A profile that cannot be read is treated like a missing one.
    let Some(profile) = decoder.icc_profile().ok().flatten() else { return DynamicImage::from_decoder(decoder) };
    if format == ImageFormat::Jpeg
        && let Some(picture) = cmyk::decode(bytes, &profile)
    {
        return Ok(picture);
    }
    Ok(colors::to_srgb(DynamicImage::from_decoder(decoder)?, &profile))
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

/// Returns whether the file reaches the end that its format declares. The decoders of these formats fill in missing pixels, whereas those of
/// PNG and GIF fail.
fn is_whole(bytes: &[u8], format: ImageFormat) -> bool {
    match format {
        ImageFormat::Jpeg => has_end_marker(bytes),
        ImageFormat::WebP => {
            let declared = bytes.get(4..8).and_then(|size| size.try_into().ok()).map(u32::from_le_bytes);
            declared.is_some_and(|size| u64::from(size) + 8 <= bytes.len() as u64)
        }
        _ => true,
    }
}

/// Returns whether a JPEG contains its end marker. A marker inside a segment, such as one of a thumbnail, doesn't count.
fn has_end_marker(bytes: &[u8]) -> bool {
    // Stuffed zeros, fill bytes, and markers without a segment.
    let is_skipped = |second: u8| matches!(second, 0x00 | 0x01 | 0xd0..=0xd8 | 0xff);
    let mut rest = bytes;
    while let Some(at) = rest.windows(2).position(|pair| pair[0] == 0xff && !is_skipped(pair[1])) {
        let (marker, segment) = (rest[at + 1], &rest[at + 2..]);
        if marker == 0xd9 {
            return true;
        }
        let length = segment.first_chunk().map_or(usize::MAX, |length| usize::from(u16::from_be_bytes(*length)));
        let Some(after) = segment.get(length..) else { return false };
        rest = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use image::{RgbImage, codecs::jpeg::JpegEncoder};
    use lantern_config::Config;

    use super::*;

    fn decoded(bytes: &[u8]) -> Result<DynamicImage, RefusedPicture> {
        decode(bytes, (1, 1), None, &Config::default().pictures)
    }

    /// Returns a picture with details everywhere, so that every byte of its file matters.
    fn picture() -> RgbImage {
        RgbImage::from_fn(97, 61, |x, y| image::Rgb([(x * y) as u8, (x * 7 + y * 31) as u8, (x ^ y) as u8]))
    }

    fn written(format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture().write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    /// Returns a lossy WebP, which only ffmpeg writes.
    fn lossy_webp() -> Vec<u8> {
        let args = "-v error -f lavfi -i testsrc2=s=97x61 -frames:v 1 -c:v libwebp -quality 90 -f webp -";
        let output = Command::new("ffmpeg").args(args.split(' ')).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// Inserts a segment with a whole JPEG, as cameras do for thumbnails.
    fn with_thumbnail(jpeg: &[u8]) -> Vec<u8> {
        let mut thumbnail = Vec::new();
        JpegEncoder::new(&mut thumbnail).encode_image(&RgbImage::new(8, 8)).unwrap();
        let length = (thumbnail.len() as u16 + 2).to_be_bytes();
        [&jpeg[..2], b"\xff\xe1", &length, &thumbnail, &jpeg[2..]].concat()
    }

    #[test]
    fn cut_pictures_are_refused() {
        let jpeg = written(ImageFormat::Jpeg);
        for (name, whole) in [
            ("JPEG with a thumbnail", with_thumbnail(&jpeg)),
            ("JPEG", jpeg),
            ("PNG", written(ImageFormat::Png)),
            ("WebP", written(ImageFormat::WebP)),
            ("lossy WebP", lossy_webp()),
            ("GIF", written(ImageFormat::Gif)),
        ] {
            let complete = decoded(&whole).unwrap();
            assert!(whole.len() > 1000, "{name}: {}", whole.len());
            let lengths = (0..whole.len()).step_by(whole.len() / 97).chain(whole.len() - 40..whole.len());
            for length in lengths {
                match decoded(&whole[..length]) {
                    // Only the end marker is missing, after all pixels.
                    Ok(found) if matches!(name, "PNG" | "GIF") && whole.len() - length < 24 => {
                        assert_eq!(found, complete, "{name}, {length} of {} bytes", whole.len());
                    }
                    Ok(_) => panic!("{name} is accepted with {length} of {} bytes", whole.len()),
                    Err(refused) => assert_eq!(refused, RefusedPicture::Type, "{name}, {length} bytes"),
                }
            }
        }
    }

    #[test]
    fn appended_data_does_not_matter() {
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif] {
            let whole = written(format);
            let complete = decoded(&whole).unwrap();
            assert_eq!(decoded(&[&whole[..], b"\0\0\0\x1cftypmp42"].concat()), Ok(complete), "{format:?}");
        }
    }
}
