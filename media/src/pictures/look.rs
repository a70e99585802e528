//! Perceptual hashes of pictures. A hash has 256 bits, which stay nearly the same when a picture is scaled, encoded again or cropped
//! slightly.
//!
//! The hash is PDQ ("The TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing Algorithm", Meta, 2019), compatible with the reference
//! implementation, so that other parties' hash lists can be used. The picture is blurred and sampled at 64 × 64 points, and one bit for
//! each of its 16 × 16 lowest frequencies tells whether it is above their median. A mirrored or rotated picture has the same frequencies
//! with other signs, so computing its hash costs almost nothing.
//!
//! A uniform border shifts everything inside, so a picture with a border gets a second hash without it.

use image::{DynamicImage, RgbImage};
use lantern_catalog::prints::{LOOK_BYTES, Look};

use super::render::on_white;

/// Pictures with a side longer than this are scaled down first, as in the reference.
const LARGE: u32 = 512;
/// Sampled points per side.
const POINTS: usize = 64;
/// Frequencies per side.
const WAVES: usize = 16;
/// Number of blur passes.
const BLURS: usize = 2;
/// Maximum brightness difference (of 255) between a border pixel and the first one. It allows for an encoder's noise in a uniform color.
const EVEN: f32 = 12.0;
/// Divisor for the maximum share of a side that a border may take. Without this limit, nothing would remain of a mostly uniform picture.
const BORDER: usize = 4;

type Grid = [[f32; POINTS]; POINTS];
type Waves = [[f32; WAVES]; WAVES];

/// Brightness of a picture's pixels, by row.
struct Brightness {
    wide: usize,
    high: usize,
    values: Vec<f32>,
}

/// Returns the hashes of a picture, and of the picture without its border if it has one: each as it is, followed by all rotations and
/// mirrorings. Omits versions whose quality (0 to 100) is below `least`, because their bits would be noise.
pub fn looks(picture: &DynamicImage, least: u8) -> Vec<[Look; 8]> {
    let small = picture.thumbnail_exact(picture.width().min(LARGE), picture.height().min(LARGE));
    let whole = Brightness::of(&on_white(&small));
    let inside = whole.inside_border();
    [Some(whole), inside].into_iter().flatten().filter_map(|seen| seen.looks(least)).collect()
}

impl Brightness {
    fn of(picture: &RgbImage) -> Self {
        let values = picture.pixels().map(|pixel| {
            let [red, green, blue] = pixel.0.map(f32::from);
            0.299 * red + 0.587 * green + 0.114 * blue
        });
        Self { wide: picture.width() as usize, high: picture.height() as usize, values: values.collect() }
    }

    fn at(&self, row: usize, column: usize) -> f32 {
        self.values[row * self.wide + column]
    }

    fn looks(mut self, least: u8) -> Option<[Look; 8]> {
        self.blur();
        let grid = self.points();
        (quality(&grid) >= least).then(|| variants(&waves(&grid)))
    }

    /// Returns the picture inside a uniform border, or `None` if there is no border. The border's lines are as uniform as the outermost
    /// line on their side.
    fn inside_border(&self) -> Option<Self> {
        let (wide, high) = (self.wide, self.high);
        let even = |row: usize, column: usize, first: f32| (self.at(row, column) - first).abs() <= EVEN;
        let row_is_even = |row: usize, first: f32| (0..wide).all(|column| even(row, column, first));
        let column_is_even = |column: usize, first: f32| (0..high).all(|row| even(row, column, first));
        let lines =
            |most: usize, is_even: &dyn Fn(usize) -> bool| (0..most / BORDER).take_while(|line| is_even(*line)).count();
        let (start, end) = (self.at(0, 0), self.at(high - 1, wide - 1));
        let top = lines(high, &|line| row_is_even(line, start));
        let bottom = lines(high, &|line| row_is_even(high - 1 - line, end));
        let left = lines(wide, &|line| column_is_even(line, start));
        let right = lines(wide, &|line| column_is_even(wide - 1 - line, end));
        if top + bottom + left + right == 0 {
            return None;
        }
        let rows = top..high - bottom;
        let values = rows.clone().flat_map(|row| (left..wide - right).map(move |column| (row, column)));
        let values = values.map(|(row, column)| self.at(row, column)).collect();
        Some(Self { wide: wide - left - right, high: rows.len(), values })
    }

    fn blur(&mut self) {
        let (wide, high) = (self.wide, self.high);
        for _ in 0..BLURS {
            for row in 0..high {
                smooth(&mut self.values, row * wide, 1, wide);
            }
            for column in 0..wide {
                smooth(&mut self.values, column, wide, high);
            }
        }
    }

    /// Samples the picture at the centers of 64 × 64 equal parts.
    fn points(&self) -> Grid {
        let middle = |at: usize, whole: usize| (2 * at + 1) * whole / (2 * POINTS);
        std::array::from_fn(|row| {
            std::array::from_fn(|column| self.at(middle(row, self.high), middle(column, self.wide)))
        })
    }
}

/// Replaces each of `length` values, `step` apart from `start`, with the mean of its surroundings.
fn smooth(values: &mut [f32], start: usize, step: usize, length: usize) {
    let window = length.div_ceil(2 * POINTS);
    let (before, ahead) = ((window - 1) / 2, window / 2);
    let mut sums = Vec::with_capacity(length + 1);
    sums.push(0.0_f64);
    let mut sum = 0.0;
    for at in 0..length {
        sum += f64::from(values[start + at * step]);
        sums.push(sum);
    }
    for at in 0..length {
        let (from, to) = (at.saturating_sub(before), (at + ahead + 1).min(length));
        values[start + at * step] = ((sums[to] - sums[from]) / (to - from) as f64) as f32;
    }
}

/// Returns the amount of detail, from 0 to 100. It is derived from the differences between neighbors, each in whole percent.
fn quality(grid: &Grid) -> u8 {
    let step = |one: f32, other: f32| ((one - other) * 100.0 / 255.0).abs() as u32;
    let across = grid.iter().flat_map(|row| row.windows(2).map(|pair| step(pair[0], pair[1])));
    let down = grid.windows(2).flat_map(|rows| rows[0].iter().zip(&rows[1]).map(|(one, other)| step(*one, *other)));
    let sum: u32 = across.chain(down).sum();
    // This yields 100 for a picture with much detail.
    (sum / 90).min(100) as u8
}

/// Computes the discrete cosine transform without the mean.
fn waves(grid: &Grid) -> Waves {
    let scale = (2.0 / POINTS as f64).sqrt();
    let wave: [[f32; POINTS]; WAVES] = std::array::from_fn(|wave| {
        let turns = std::f64::consts::PI / (2 * POINTS) as f64 * (wave + 1) as f64;
        std::array::from_fn(|at| (scale * (turns * (2 * at + 1) as f64).cos()) as f32)
    });
    let columns: [[f32; POINTS]; WAVES] = std::array::from_fn(|one| {
        std::array::from_fn(|column| (0..POINTS).map(|row| wave[one][row] * grid[row][column]).sum())
    });
    std::array::from_fn(|one| {
        std::array::from_fn(|other| (0..POINTS).map(|at| columns[one][at] * wave[other][at]).sum())
    })
}

/// Returns the hash of the picture and of all its rotations and mirrorings.
fn variants(waves: &Waves) -> [Look; 8] {
    std::array::from_fn(|variant| {
        let (turned, upside_down, mirrored) = (variant & 4 != 0, variant & 2 != 0, variant & 1 != 0);
        // Mirroring negates waves with an odd number of half turns. They are at even indexes, because the mean is omitted.
        let sign = |is_mirrored: bool, at: usize| if is_mirrored && at.is_multiple_of(2) { -1.0 } else { 1.0 };
        hash(&std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                let value = if turned { waves[column][row] } else { waves[row][column] };
                value * sign(upside_down, row) * sign(mirrored, column)
            })
        }))
    })
}

fn hash(waves: &Waves) -> Look {
    let mut sorted = waves.as_flattened().to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let median = sorted[sorted.len() / 2 - 1];
    let mut look = [0; LOOK_BYTES];
    for (at, value) in waves.as_flattened().iter().enumerate() {
        // The reference writes the last frequency first.
        look[LOOK_BYTES - 1 - at / 8] |= u8::from(*value > median) << (at % 8);
    }
    look
}

#[cfg(test)]
mod tests {
    use image::{
        Rgb,
        codecs::jpeg::{JpegDecoder, JpegEncoder},
        imageops::{self, FilterType},
    };

    use super::*;
    use crate::demo;

    /// Defaults of `pictures.look_bits` and `pictures.look_quality`.
    const BITS: u32 = 31;
    const QUALITY: u8 = 50;

    fn of(picture: &RgbImage) -> Vec<[Look; 8]> {
        looks(&DynamicImage::ImageRgb8(picture.clone()), QUALITY)
    }

    fn distance(one: &Look, other: &Look) -> u32 {
        one.iter().zip(other).map(|(one, other)| (one ^ other).count_ones()).sum()
    }

    /// Returns the smallest distance between the banned hashes and all variants of the sent hashes. Returns `None` if either picture has no
    /// hashes.
    fn nearest(banned: &[[Look; 8]], sent: &[[Look; 8]]) -> Option<u32> {
        let banned = banned.iter().map(|[look, ..]| look);
        banned.flat_map(|banned| sent.as_flattened().iter().map(|sent| distance(banned, sent))).min()
    }

    fn as_jpeg(picture: &RgbImage, quality: u8) -> RgbImage {
        let mut bytes = Vec::new();
        JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(picture).unwrap();
        DynamicImage::from_decoder(JpegDecoder::new(std::io::Cursor::new(bytes)).unwrap()).unwrap().into_rgb8()
    }

    fn bordered(picture: &RgbImage, color: u8, share: u32) -> RgbImage {
        let (wide, high) = picture.dimensions();
        let edge = wide / share;
        let mut framed = RgbImage::from_pixel(wide + 2 * edge, high + 2 * edge, Rgb([color; 3]));
        imageops::replace(&mut framed, picture, edge.into(), edge.into());
        framed
    }

    type Change = fn(&RgbImage) -> RgbImage;

    /// Changes made to a picture to evade recognition.
    const CHANGES: [(&str, Change); 9] = [
        ("scaled by two pixels", |seen| {
            imageops::resize(seen, seen.width() - 2, seen.height() - 2, FilterType::Triangle)
        }),
        ("half as large", |seen| imageops::resize(seen, seen.width() / 2, seen.height() / 2, FilterType::Lanczos3)),
        ("JPEG of quality 50", |seen| as_jpeg(seen, 50)),
        ("cropped by two per cent", |seen| {
            let (wide, high) = seen.dimensions();
            imageops::crop_imm(seen, wide / 100, high / 100, wide - wide / 50, high - high / 50).to_image()
        }),
        ("with a white border", |seen| as_jpeg(&bordered(seen, 255, 20), 80)),
        ("with a black border", |seen| as_jpeg(&bordered(seen, 0, 10), 80)),
        ("mirrored", imageops::flip_horizontal),
        ("turned right", imageops::rotate90),
        ("turned and mirrored", |seen| imageops::flip_vertical(&imageops::rotate270(seen))),
    ];

    #[test]
    fn picture_without_detail_has_no_hashes() {
        let even = RgbImage::from_pixel(320, 320, Rgb([90, 90, 200]));
        let halves = RgbImage::from_fn(400, 300, |_, y| if y < 150 { Rgb([220, 20, 20]) } else { Rgb([20, 20, 220]) });
        assert_eq!((of(&even).len(), of(&halves).len()), (0, 0));
        for (wide, high) in [(1, 1), (2, 3), (64, 64), (1, 600), (600, 1)] {
            let dots = RgbImage::from_fn(wide, high, |x, y| Rgb([(x * 37 + y * 91) as u8; 3]));
            looks(&DynamicImage::ImageRgb8(dots), 0);
        }
    }

    /// Prints the figures of docs/adr/0083-pictures-by-their-looks.md with `--nocapture`.
    #[tokio::test]
    async fn changed_pictures_are_recognized_and_others_are_not() {
        let pictures = demo::render_all_pictures().await;
        let banned: Vec<_> = pictures.iter().map(of).collect();
        let with_looks = banned.iter().filter(|looks| !looks.is_empty()).count();
        assert!(with_looks > 40, "{with_looks} have hashes");
        let others = banned
            .iter()
            .enumerate()
            .flat_map(|(at, one)| banned[at + 1..].iter().filter_map(|other| nearest(one, other)));
        let least = others.min().unwrap();
        println!("{with_looks} of {} have hashes, any two of them differ by at least {least} bits", pictures.len());
        assert!(least > BITS, "{least}");
        for (name, change) in CHANGES {
            let mut bits: Vec<u32> =
                banned.iter().zip(&pictures).filter_map(|(one, picture)| nearest(one, &of(&change(picture)))).collect();
            bits.sort_unstable();
            let known = bits.iter().filter(|bits| **bits <= BITS).count();
            println!("{name}: {known} of {} recognized, median distance {} bits", bits.len(), bits[bits.len() / 2]);
            // One picture has hashes only inside its border, which is cropped differently after rotation.
            assert!(known + 1 >= with_looks, "{name}: {bits:?}");
        }
    }
}
