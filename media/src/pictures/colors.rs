//! Converts pictures with an ICC profile to sRGB, because stored pictures have no profile.

use image::{DynamicImage, RgbImage, RgbaImage};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

/// Converts the picture to sRGB. A picture whose profile is broken, or isn't for pixels of its kind, is returned unchanged, because browsers
/// show it as sRGB too.
pub(super) fn to_srgb(picture: DynamicImage, profile: &[u8]) -> DynamicImage {
    let profile = ColorProfile::new_from_slice(profile).ok();
    profile.and_then(|profile| convert(&picture, &profile)).unwrap_or(picture)
}

fn convert(picture: &DynamicImage, profile: &ColorProfile) -> Option<DynamicImage> {
    let (color, width, height) = (picture.color(), picture.width(), picture.height());
    let (from, to) = match (profile.color_space, color.has_alpha()) {
        (DataColorSpace::Rgb, false) => (Layout::Rgb, Layout::Rgb),
        (DataColorSpace::Rgb, true) => (Layout::Rgba, Layout::Rgba),
        (DataColorSpace::Gray, false) if !color.has_color() => (Layout::Gray, Layout::Rgb),
        (DataColorSpace::Gray, true) if !color.has_color() => (Layout::GrayAlpha, Layout::Rgba),
        _ => return None,
    };
    let srgb = ColorProfile::new_srgb();
    let transform = profile.create_transform_16bit(from, &srgb, to, TransformOptions::default()).ok()?;
    let mut deep = vec![0; width as usize * to.channels()];
    let mut flat = Vec::with_capacity(deep.len() * height as usize);
    // Only one row at a time is in memory with 16 bits.
    for y in 0..height {
        let row = picture.crop_imm(0, y, width, 1);
        let row = match from {
            Layout::Rgb => row.into_rgb16().into_raw(),
            Layout::Rgba => row.into_rgba16().into_raw(),
            Layout::Gray => row.into_luma16().into_raw(),
            _ => row.into_luma_alpha16().into_raw(),
        };
        transform.transform(&row, &mut deep).ok()?;
        flat.extend(deep.iter().map(|value| ((u32::from(*value) + 128) / 257) as u8));
    }
    if to == Layout::Rgb {
        RgbImage::from_raw(width, height, flat).map(DynamicImage::ImageRgb8)
    } else {
        RgbaImage::from_raw(width, height, flat).map(DynamicImage::ImageRgba8)
    }
}

#[cfg(test)]
mod tests {
    use image::{
        GrayImage, ImageEncoder, ImageResult, Rgb,
        codecs::{jpeg::JpegEncoder, png::PngEncoder, webp::WebPEncoder},
    };
    use lantern_config::Config;

    use super::*;
    use crate::pictures::{Kind, apart::Job, render};

    type Patches = [[u8; 3]; 4];
    type Encode = fn(&DynamicImage, Vec<u8>) -> ImageResult<Vec<u8>>;

    /// Colors in sRGB, and the same colors in other color spaces, computed from the primaries and curves in their specifications.
    const SRGB: Patches = [[200, 80, 70], [100, 170, 110], [80, 100, 190], [200, 180, 90]];
    const P3: Patches = [[186, 88, 76], [116, 168, 116], [84, 99, 184], [197, 181, 103]];
    const ADOBE: Patches = [[175, 81, 72], [124, 168, 113], [87, 100, 186], [193, 179, 96]];
    const PROPHOTO: Patches = [[140, 82, 59], [111, 146, 100], [91, 83, 166], [168, 165, 90]];
    /// Side of a patch in pixels.
    const SIDE: u32 = 160;

    const ENCODERS: [(&str, Encode); 3] = [
        ("JPEG", |picture, profile| {
            let mut bytes = Vec::new();
            encode(JpegEncoder::new_with_quality(&mut bytes, 100), picture, profile)?;
            Ok(bytes)
        }),
        ("PNG", png),
        ("WebP", |picture, profile| {
            let mut bytes = Vec::new();
            encode(WebPEncoder::new_lossless(&mut bytes), picture, profile)?;
            Ok(bytes)
        }),
    ];

    fn png(picture: &DynamicImage, profile: Vec<u8>) -> ImageResult<Vec<u8>> {
        let mut bytes = Vec::new();
        encode(PngEncoder::new(&mut bytes), picture, profile)?;
        Ok(bytes)
    }

    fn encode(mut encoder: impl ImageEncoder, picture: &DynamicImage, profile: Vec<u8>) -> ImageResult<()> {
        encoder.set_icc_profile(profile).unwrap();
        picture.write_with_encoder(encoder)
    }

    /// Returns the four colors next to each other.
    fn picture(patches: &Patches) -> DynamicImage {
        RgbImage::from_fn(4 * SIDE, 2 * SIDE, |x, _| Rgb(patches[(x / SIDE) as usize])).into()
    }

    /// Uploads a picture and returns the colors of the stored one.
    fn stored(bytes: &[u8]) -> Patches {
        let job = Job { kind: Some(Kind::Photo), crop: None, rules: Config::default().pictures };
        let rendered = render::sizes(bytes, &job).unwrap();
        let stored = image::load_from_memory(&rendered.sizes[0].1).unwrap().into_rgb8();
        std::array::from_fn(|at| stored.get_pixel(SIDE * at as u32 + SIDE / 2, SIDE).0)
    }

    #[track_caller]
    fn assert_like(found: Patches, expected: &Patches, most: u8, name: &str) {
        let apart = found.as_flattened().iter().zip(expected.as_flattened()).map(|(one, other)| one.abs_diff(*other));
        assert!(apart.max() <= Some(most), "{name}: {found:?}");
    }

    #[test]
    fn colors_stay_the_same_whatever_their_profile() {
        for (space, profile, patches) in [
            ("sRGB", ColorProfile::new_srgb(), SRGB),
            ("Display P3", ColorProfile::new_display_p3(), P3),
            ("Adobe RGB", ColorProfile::new_adobe_rgb(), ADOBE),
            ("ProPhoto", ColorProfile::new_pro_photo_rgb(), PROPHOTO),
        ] {
            let (profile, picture) = (profile.encode().unwrap(), picture(&patches));
            for (format, encode) in ENCODERS {
                // JPEG rounds colors, and conversion to the smaller space amplifies that.
                let most = if format == "JPEG" { 4 } else { 2 };
                let name = format!("{space}, {format}");
                assert_like(stored(&encode(&picture, profile.clone()).unwrap()), &SRGB, most, &name);
            }
            for deep in [picture.to_rgb16().into(), picture.to_rgba16().into(), picture.to_rgba8().into()] {
                let deep: DynamicImage = deep;
                assert_like(
                    stored(&png(&deep, profile.clone()).unwrap()),
                    &SRGB,
                    2,
                    &format!("{space}, {:?}", deep.color()),
                );
            }
        }
        // A linear gray of 55/255 has 128/255 in sRGB.
        let gray: DynamicImage = GrayImage::from_pixel(4 * SIDE, 2 * SIDE, image::Luma([55])).into();
        let linear = ColorProfile::new_gray_with_gamma(1.0).encode().unwrap();
        for gray in [gray.to_luma16().into(), gray.to_luma_alpha8().into(), gray] {
            assert_like(stored(&png(&gray, linear.clone()).unwrap()), &[[128; 3]; 4], 2, "gray");
        }
    }

    #[test]
    fn transparency_survives_conversion() {
        let glass = RgbaImage::from_pixel(9, 9, image::Rgba([140, 82, 59, 100]));
        let profile = ColorProfile::new_pro_photo_rgb().encode().unwrap();
        let [red, green, blue, alpha] = to_srgb(glass.into(), &profile).into_rgba8().get_pixel(4, 4).0;
        assert_like([[red, green, blue]; 4], &[SRGB[0]; 4], 2, "glass");
        assert_eq!(alpha, 100);
    }

    #[test]
    fn broken_and_foreign_profiles_are_ignored() {
        let whole = ColorProfile::new_pro_photo_rgb().encode().unwrap();
        let gray = ColorProfile::new_gray_with_gamma(1.0).encode().unwrap();
        let picture = picture(&SRGB);
        for profile in [whole[..whole.len() / 2].to_vec(), b"no profile".to_vec(), vec![0xff; 4096], gray] {
            for (format, encode) in ENCODERS {
                let name = format!("{} bytes, {format}", profile.len());
                assert_like(stored(&encode(&picture, profile.clone()).unwrap()), &SRGB, 2, &name);
            }
        }
        // Damaged profiles may change colors, but nothing else.
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            for profile in [&whole[..at], &damaged] {
                let seen = to_srgb(RgbImage::new(2, 2).into(), profile);
                assert_eq!((seen.width(), seen.height()), (2, 2), "byte {at}");
            }
        }
    }
}
