//! JPEGs for print. Their inks look right only with the profile of the press, so they are decoded as inks, not as an approximation in RGB.

use image::{DynamicImage, RgbImage};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

/// Decodes a JPEG with four inks and a matching profile to sRGB. Returns `None` for any other picture.
pub(super) fn decode(jpeg: &[u8], profile: &[u8]) -> Option<DynamicImage> {
    let profile = ColorProfile::new_from_slice(profile).ok()?;
    if profile.color_space != DataColorSpace::Cmyk {
        return None;
    }
    let srgb = ColorProfile::new_srgb();
    let transform =
        profile.create_transform_8bit(Layout::Rgba, &srgb, Layout::Rgb, TransformOptions::default()).ok()?;
    let (width, height, inks) = inks(jpeg)?;
    let mut colors = vec![0; inks.len() / 4 * 3];
    transform.transform(&inks, &mut colors).ok()?;
    RgbImage::from_raw(width, height, colors).map(DynamicImage::ImageRgb8)
}

/// Returns the width, the height, and the amounts of cyan, magenta, yellow and black of each pixel.
fn inks(jpeg: &[u8]) -> Option<(u32, u32, Vec<u8>)> {
    // The same leniency as for other JPEGs. The caller has checked the size.
    let options = DecoderOptions::default().set_strict_mode(false).set_max_width(usize::MAX).set_max_height(usize::MAX);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(jpeg), options);
    decoder.decode_headers().ok()?;
    let ((width, height), space) = (decoder.dimensions()?, decoder.input_colorspace()?);
    if !matches!(space, ColorSpace::CMYK | ColorSpace::YCCK) {
        return None;
    }
    decoder.set_options(options.jpeg_set_out_colorspace(space));
    let mut inks = decoder.decode().ok()?;
    for pixel in inks.as_chunks_mut::<4>().0 {
        *pixel = if space == ColorSpace::YCCK { from_ycck(*pixel) } else { pixel.map(|ink| 255 - ink) };
    }
    Some((width.try_into().ok()?, height.try_into().ok()?, inks))
}

/// Converts luma and chroma to inks. As Adobe's programs write it, black is inverted.
fn from_ycck([luma, blue, red, black]: [u8; 4]) -> [u8; 4] {
    let [luma, blue, red] = [f32::from(luma), f32::from(blue) - 128.0, f32::from(red) - 128.0];
    let inks = [luma + 1.402 * red, luma - 0.344_136 * blue - 0.714_136 * red, luma + 1.772 * blue];
    let [cyan, magenta, yellow] = inks.map(|ink| ink.round().clamp(0.0, 255.0) as u8);
    [cyan, magenta, yellow, 255 - black]
}

#[cfg(test)]
mod tests {
    use lantern_config::Config;
    use moxcms::{LutDataType, LutStore, LutType, LutWarehouse, Matrix3d, ProfileClass};

    use crate::pictures::{Crop, Kind, apart::Job, render};

    use super::*;

    /// Amounts of inks, their colors on the press of the profile in CIELAB with 8 bits, and these colors in sRGB.
    const PATCHES: [([u8; 4], [u8; 3], [u8; 3]); 4] = [
        ([255, 0, 0, 0], [121, 184, 162], [200, 60, 60]),
        ([0, 255, 0, 0], [166, 78, 168], [61, 180, 80]),
        ([255, 255, 0, 0], [96, 149, 67], [60, 80, 189]),
        ([0, 255, 255, 255], [187, 126, 189], [200, 180, 59]),
    ];
    /// Side of a patch in pixels.
    const SIDE: u16 = 160;

    /// Returns the profile of a press that knows only full and no ink.
    fn press() -> Vec<u8> {
        let line = [0, u16::MAX];
        let mut nodes = vec![0; 16 * 3];
        for (inks, lab, _) in PATCHES {
            let node = inks.iter().fold(0, |node, ink| node * 2 + usize::from(*ink > 0));
            nodes[node * 3..][..3].copy_from_slice(&lab.map(|value| u16::from(value) * 257));
        }
        let table = LutDataType {
            num_input_channels: 4,
            num_output_channels: 3,
            num_clut_grid_points: 2,
            matrix: Matrix3d::IDENTITY,
            num_input_table_entries: 2,
            num_output_table_entries: 2,
            input_table: LutStore::Store16(line.repeat(4)),
            clut_table: LutStore::Store16(nodes),
            output_table: LutStore::Store16(line.repeat(3)),
            lut_type: LutType::Lut16,
        };
        let mut profile = ColorProfile::default();
        profile.pcs = DataColorSpace::Lab;
        profile.color_space = DataColorSpace::Cmyk;
        profile.profile_class = ProfileClass::OutputDevice;
        profile.white_point = ColorProfile::new_srgb().white_point;
        profile.lut_a_to_b_perceptual = Some(LutWarehouse::Lut(table));
        profile.encode().unwrap()
    }

    /// Writes the patches as a JPEG in which each block has a single color, as Adobe's programs do: inks are inverted. `transform` is 0 for
    /// inks and 2 for luma and chroma.
    fn print(transform: u8, profile: Option<&[u8]>) -> Vec<u8> {
        let segment = |marker: u8, content: &[u8]| {
            [&[0xff, marker][..], &(content.len() as u16 + 2).to_be_bytes(), content].concat()
        };
        let (height, width) = ((2 * SIDE).to_be_bytes(), (4 * SIDE).to_be_bytes());
        let channels = [1, 2, 3, 4].map(|id| [id, 0x11, 0]).concat();
        let adobe = segment(0xee, &[b"Adobe\0\x64\0\0\0\0", &[transform][..]].concat());
        let icc = profile.map_or_else(Vec::new, |icc| segment(0xe2, &[b"ICC_PROFILE\0\x01\x01", icc].concat()));
        // All codes for differences have four bits, and the only code for details means that there are none.
        let differences = [&[0, 0, 0, 0, 12][..], &[0; 12], &(0..12).collect::<Vec<u8>>()].concat();
        let details = [&[0x10, 1][..], &[0; 15], &[0]].concat();
        let scan = [&[4][..], &[1, 2, 3, 4].map(|id| [id, 0]).concat(), &[0, 63, 0]].concat();
        [
            b"\xff\xd8".to_vec(),
            adobe,
            icc,
            segment(0xdb, &[&[0][..], &[1; 64]].concat()),
            segment(0xc0, &[&[8][..], &height, &width, &[4], &channels].concat()),
            segment(0xc4, &differences),
            segment(0xc4, &details),
            segment(0xda, &scan),
            blocks(transform),
            b"\xff\xd9".to_vec(),
        ]
        .concat()
    }

    fn blocks(transform: u8) -> Vec<u8> {
        let (mut bits, mut before) = (Vec::new(), [0; 4]);
        for _ in 0..2 * SIDE / 8 {
            for (inks, ..) in PATCHES {
                let values = if transform == 2 { to_ycck(inks) } else { inks.map(|ink| 255 - ink) };
                for _ in 0..SIDE / 8 {
                    for (before, value) in before.iter_mut().zip(values) {
                        let difference = 8 * (i32::from(value) - 128) - *before;
                        *before += difference;
                        let size = 32 - difference.unsigned_abs().leading_zeros();
                        let offset = if difference < 0 { difference + (1 << size) - 1 } else { difference };
                        bits.extend((0..4).rev().map(|at| size >> at & 1 == 1));
                        bits.extend((0..size).rev().map(|at| offset >> at & 1 == 1));
                        bits.push(false);
                    }
                }
            }
        }
        let bytes =
            bits.chunks(8).map(|bits| (0..8).fold(0, |byte, at| byte << 1 | u8::from(*bits.get(at).unwrap_or(&true))));
        bytes.flat_map(|byte| if byte == 0xff { vec![byte, 0] } else { vec![byte] }).collect()
    }

    fn to_ycck([cyan, magenta, yellow, black]: [u8; 4]) -> [u8; 4] {
        let [cyan, magenta, yellow] = [cyan, magenta, yellow].map(f32::from);
        let luma = 0.299 * cyan + 0.587 * magenta + 0.114 * yellow;
        let chroma = [(yellow - luma) / 1.772 + 128.0, (cyan - luma) / 1.402 + 128.0];
        [luma.round() as u8, chroma[0].round() as u8, chroma[1].round() as u8, 255 - black]
    }

    /// Uploads a picture and returns the largest stored one.
    fn uploaded(jpeg: &[u8], kind: Kind, crop: Option<Crop>) -> RgbImage {
        let job = Job { kind: Some(kind), crop, rules: Config::default().pictures };
        let rendered = render::sizes(jpeg, &job).unwrap();
        image::load_from_memory(&rendered.sizes[0].1).unwrap().into_rgb8()
    }

    /// Uploads a picture and returns the colors of the stored one.
    fn stored(jpeg: &[u8]) -> [[u8; 3]; 4] {
        let stored = uploaded(jpeg, Kind::Photo, None);
        let side = u32::from(SIDE);
        std::array::from_fn(|at| stored.get_pixel(side * at as u32 + side / 2, side).0)
    }

    #[test]
    fn inks_have_the_colors_of_their_profile() {
        // Luma and chroma are rounded, and conversion amplifies that.
        for (transform, most) in [(0, 2), (2, 4)] {
            let found = stored(&print(transform, Some(&press())));
            for (found, (inks, _, expected)) in found.iter().zip(PATCHES) {
                let apart = found.iter().zip(expected).map(|(one, other)| one.abs_diff(other)).max();
                assert!(apart <= Some(most), "{transform} {inks:?}: {found:?}");
            }
        }
    }

    #[test]
    fn inks_are_cropped() {
        let jpeg = print(0, Some(&press()));
        for (x, (_, _, expected)) in (0..).step_by(SIDE.into()).zip(PATCHES) {
            let crop = Crop { x, y: 30, width: 160, height: 90 };
            let stored = uploaded(&jpeg, Kind::Poster, Some(crop));
            for (x, y) in [(8, 8), (640, 360), (1271, 711)] {
                let found = stored.get_pixel(x, y).0;
                let apart = found.iter().zip(expected).map(|(one, other)| one.abs_diff(other)).max();
                assert!(apart <= Some(2), "{crop:?}: {found:?}");
            }
        }
    }

    #[test]
    fn inks_without_a_profile_are_approximated() {
        let profile = press();
        for profile in [None, Some(&profile[..200]), Some(&b"no profile"[..])] {
            let [cyan, ..] = stored(&print(0, profile));
            assert!(cyan[0] < 10 && cyan[1] > 245 && cyan[2] > 245, "{cyan:?}");
        }
    }
}
