//! Tests that films and their pictures have the colors of the source.

use std::path::Path;

use crate::support::{ffmpeg, ffprobe, make, pixel};
use image::ImageReader;

/// Colors of the patches, from left to right.
const PATCHES: [[u8; 3]; 8] = [
    [255, 255, 255],
    [0, 0, 0],
    [128, 128, 128],
    [200, 30, 40],
    [40, 180, 60],
    [50, 60, 200],
    [220, 200, 60],
    [90, 40, 120],
];
/// Maximum difference of a color.
const OFF: u8 = 2;
/// What is added for small pictures in one file, whose quality is lower.
const SMALL: u8 = 2;
/// What is added for films with a full range or ten bits, which are rounded once more.
const ROUNDED: u8 = 2;

/// Returns a source of the patches in RGB.
fn patches((width, height): (u32, u32)) -> String {
    let each = width / 8;
    let boxes: Vec<String> = (0..)
        .zip(PATCHES)
        .map(|(at, [r, g, b])| {
            format!("drawbox=x={}:w={each}:h={height}:color=0x{r:02x}{g:02x}{b:02x}:t=fill", at * each)
        })
        .collect();
    format!("-f lavfi -i color=black:s={width}x{height}:r=25:d=2,format=gbrp,{}", boxes.join(","))
}

fn middle(patch: usize, (width, height): (u32, u32)) -> [u32; 2] {
    [(u32::try_from(patch).unwrap() * 2 + 1) * width / 16 / 2 * 2, height / 4 * 2]
}

/// Reads a picture with a library other than ffmpeg.
fn decoded(folder: &Path, file: &str, size: (u32, u32)) -> Vec<[u8; 3]> {
    let picture = ImageReader::open(folder.join(file)).unwrap().decode().unwrap().to_rgb8();
    let place = |patch| middle(patch, size);
    (0..PATCHES.len()).map(|patch| picture.get_pixel(place(patch)[0], place(patch)[1]).0).collect()
}

fn check(name: &str, file: &str, most: u8, found: &[[u8; 3]], wanted: &[[u8; 3]]) {
    let off =
        |(found, wanted): (&[u8; 3], &[u8; 3])| found.iter().zip(wanted).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    let differs = found.iter().zip(wanted).map(off).max().unwrap();
    assert!(differs <= most, "{name}: {file} differs by {differs}: {found:?}");
}

#[tokio::test]
async fn films_and_pictures_have_the_colors_of_the_source() {
    let h264 = "-c:v libx264 -preset ultrafast -qp 4";
    let marked = |space: &str, range: &str| {
        let transfer = if space == "bt709" { "bt709" } else { "smpte170m" };
        format!("-colorspace {space} -color_primaries {space} -color_trc {transfer} -color_range {range}")
    };
    let (small, large) = ((640, 360), (1280, 720));
    for (name, size, conversion, written, tag) in [
        ("bt709.mp4", large, "bt709:out_range=tv,format=yuv420p", format!("{h264} {}", marked("bt709", "tv")), "bt709"),
        (
            "bt709.mkv",
            large,
            "bt709:out_range=tv,format=yuv420p",
            format!("-c:v ffv1 {}", marked("bt709", "tv")),
            "bt709",
        ),
        (
            "sd.mkv",
            small,
            "bt601:out_range=tv,format=yuv420p",
            format!("{h264} {}", marked("smpte170m", "tv")),
            "smpte170m",
        ),
        (
            "pal.mov",
            small,
            "bt601:out_range=tv,format=yuv420p",
            format!("{h264} {}", marked("bt470bg", "tv")),
            "bt470bg",
        ),
        ("full.mp4", large, "bt709:out_range=pc,format=yuvj420p", format!("{h264} {}", marked("bt709", "pc")), "bt709"),
        (
            "full-sd.mp4",
            small,
            "bt601:out_range=pc,format=yuvj420p",
            format!("{h264} {}", marked("smpte170m", "pc")),
            "smpte170m",
        ),
        (
            "camera.avi",
            small,
            "bt601:out_range=pc,format=yuvj422p",
            "-c:v mjpeg -q:v 1 -huffman default".to_owned(),
            "bt470bg",
        ),
        ("unmarked.mp4", small, "bt601:out_range=tv,format=yuv420p", h264.to_owned(), "smpte170m"),
        ("unmarked-hd.mp4", large, "bt709:out_range=tv,format=yuv420p", h264.to_owned(), "bt709"),
        (
            "ten-bit.mkv",
            large,
            "bt709:out_range=tv,format=yuv422p10",
            format!("{h264} {}", marked("bt709", "tv")),
            "bt709",
        ),
        ("screen.mkv", large, "bt709,format=bgr0", "-c:v ffv1".to_owned(), "bt709"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let flags = "flags=accurate_rnd+full_chroma_inp";
        ffmpeg(folder, &format!("{} -vf scale={flags}:out_color_matrix={conversion} {written} {name}", patches(size)));
        make(folder, name).await.unwrap();
        let most = if ["full.mp4", "ten-bit.mkv"].contains(&name) { OFF + ROUNDED } else { OFF };
        let films = [("video.mp4", size), ("hls/240.m3u8", (426, 240)), ("preview.mp4", (320, 180))];
        for (file, size) in films {
            let shown = "-select_streams v -show_entries stream=color_range,color_space";
            assert_eq!(ffprobe(folder, &format!("{shown} {file}")), format!("tv,{tag}"), "{name}: {file}");
            let found: Vec<_> =
                (0..PATCHES.len()).map(|patch| pixel(folder, file, "0.5", middle(patch, size))).collect();
            check(name, file, most, &found, &PATCHES);
        }
        let pictures = [
            ("poster.jpg", large),
            ("poster.webp", large),
            ("shot-4-640.webp", small),
            ("shot-4-320.webp", (320, 180)),
        ];
        for (file, size) in pictures {
            check(name, file, most, &decoded(folder, file, size), &PATCHES);
        }
        check(name, "sprite.webp", most + SMALL, &decoded(folder, "sprite.webp", (160, 90)), &PATCHES);
        check(name, "timeline.jpg", most + SMALL, &decoded(folder, "timeline.jpg", (160, 90)), &PATCHES);
        if folder.join("poster.avif").exists() {
            let found: Vec<_> =
                (0..PATCHES.len()).map(|patch| pixel(folder, "poster.avif", "0", middle(patch, large))).collect();
            check(name, "poster.avif", most, &found, &PATCHES);
        }
    }
}

/// Encodes light in cd/m² for a film with a high dynamic range, as a share of the largest code.
fn code(transfer: &str, light: f64) -> f64 {
    if transfer == "smpte2084" {
        let power = (light / 10_000.0).powf(0.159_301_757_812_5);
        ((0.835_937_5 + 18.851_562_5 * power) / (1.0 + 18.6875 * power)).powf(78.843_75)
    } else {
        let scene = (light / 1000.0).powf(1.0 / 1.2);
        if scene <= 1.0 / 12.0 {
            (3.0 * scene).sqrt()
        } else {
            0.178_832_77 * (12.0 * scene - 0.284_668_92).ln() + 0.559_910_73
        }
    }
}

#[tokio::test]
async fn high_dynamic_range_becomes_ordinary_colors() {
    // Light of red, green and blue relative to white, in the primaries of BT.709, and the expected color.
    let lights = [
        ([1.0, 1.0, 1.0], [243, 243, 243]),
        ([0.5, 0.5, 0.5], [191, 191, 191]),
        ([0.0, 0.0, 0.0], [0, 0, 0]),
        ([0.6, 0.06, 0.06], [206, 79, 79]),
        ([0.06, 0.5, 0.06], [79, 191, 79]),
        ([0.05, 0.1, 0.6], [73, 98, 206]),
        ([4.0, 4.0, 4.0], [255, 255, 255]),
        ([0.1, 0.1, 0.1], [98, 98, 98]),
    ];
    for (transfer, codec) in [("smpte2084", "libx265 -x265-params log-level=error"), ("arib-std-b67", "libx264")] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let boxes = (0..).zip(lights).map(|(at, ([r, g, b], _)): (i32, _)| {
            let wide = [
                0.6274 * r + 0.3293 * g + 0.0433 * b,
                0.0691 * r + 0.9195 * g + 0.0114 * b,
                0.0164 * r + 0.0880 * g + 0.8956 * b,
            ];
            wide.map(|light| (code(transfer, light * 203.0) * 65535.0, at * 160))
        });
        let channel = |channel: usize| {
            let steps: Vec<String> = boxes
                .clone()
                .map(|codes| format!("between(X,{1},{1}+159)*{0:.0}", codes[channel].0, codes[channel].1))
                .collect();
            steps.join("+").replace(',', "\\,")
        };
        let drawn =
            format!("nullsrc=s=1280x720:r=2:d=2,format=gbrp16,geq=r={}:g={}:b={}", channel(0), channel(1), channel(2));
        let marks = format!("-color_primaries bt2020 -color_trc {transfer} -colorspace bt2020nc -color_range tv");
        let scaled = "scale=flags=accurate_rnd+full_chroma_inp:out_color_matrix=bt2020:out_range=tv,format=yuv420p10";
        ffmpeg(folder, &format!("-f lavfi -i {drawn},{scaled} -c:v {codec} -preset ultrafast -crf 6 {marks} film.mp4"));
        make(folder, "film.mp4").await.unwrap();
        for file in ["video.mp4", "hls/480.m3u8"] {
            let size = if file == "video.mp4" { (1280, 720) } else { (854, 480) };
            let shown = "-select_streams v -show_entries stream=pix_fmt,color_space,color_transfer,color_primaries";
            assert_eq!(ffprobe(folder, &format!("{shown} {file}")), "yuv420p,bt709,bt709,bt709", "{transfer}: {file}");
            for (patch, (_, wanted)) in lights.iter().enumerate() {
                let found = pixel(folder, file, "0.5", middle(patch, size));
                let is_near = found.iter().zip(wanted).all(|(found, wanted)| found.abs_diff(*wanted) <= 6);
                assert!(is_near, "{transfer}: {file}: {found:?} instead of {wanted:?}");
            }
        }
        let white = decoded(folder, "poster.jpg", (1280, 720))[0];
        assert!(white.iter().all(|value| *value > 235), "{transfer}: {white:?}");
    }
}
