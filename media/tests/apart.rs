//! Tests pictures in the sandbox of their decoder. This program is also the decoder, so it has its own `main` function.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{path::Path, process::ExitCode};

use image::{DynamicImage, ImageEncoder, Rgb, RgbImage, codecs::jpeg::JpegEncoder, codecs::png::PngEncoder};
use lantern_config::{Config, Pictures as Rules};
use lantern_media::{
    Error,
    pictures::{self, Crop, Decoder, Kind, Pictures, RefusedPicture, file_of},
    stores::Stores,
};
use libtest_mimic::{Arguments, Trial};
use moxcms::ColorProfile;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    if let [_, command, job] = &args[..]
        && command == pictures::COMMAND
    {
        return pictures::run(job);
    }
    let trials = vec![
        trial("colors_are_converted", colors_are_converted),
        trial("hostile_profiles_end_at_most_the_decoder", hostile_profiles_end_at_most_the_decoder),
        trial("cut_picture_is_refused", cut_picture_is_refused),
        trial("process_cuts_out_the_chosen_part", process_cuts_out_the_chosen_part),
        trial("largest_picture_fits_into_memory", largest_picture_fits_into_memory),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(name: &str, test: fn(&Path)) -> Trial {
    Trial::test(name, move || {
        test(tempfile::tempdir().unwrap().path());
        Ok(())
    })
}

/// Uploads a picture as an avatar and returns the color in the middle of the stored one.
fn store(folder: &Path, rules: Rules, bytes: Vec<u8>) -> lantern_media::Result<[u8; 3]> {
    let pictures =
        Pictures::new(Stores::local(folder.to_owned(), String::new()), rules, Decoder::this_program().unwrap());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let key = runtime.block_on(pictures.store(Kind::Avatar, 7, &"0".repeat(24), bytes))?.key;
    let stored = image::open(folder.join(file_of(&key, 640))).unwrap().into_rgb8();
    Ok(stored.get_pixel(320, 320).0)
}

fn rules() -> Rules {
    // Time depends on the machine and on how this program was compiled.
    Rules { time_ms: 200_000, cpu_seconds: 100, ..Config::default().pictures }
}

fn png(picture: &DynamicImage, profile: Vec<u8>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = PngEncoder::new(&mut bytes);
    encoder.set_icc_profile(profile).unwrap();
    picture.write_with_encoder(encoder).unwrap();
    bytes
}

fn even(side: u32, color: [u8; 3]) -> DynamicImage {
    RgbImage::from_pixel(side, side, Rgb(color)).into()
}

fn prophoto() -> Vec<u8> {
    ColorProfile::new_pro_photo_rgb().encode().unwrap()
}

fn colors_are_converted(folder: &Path) {
    let found = store(folder, rules(), png(&even(200, [137, 70, 50]), prophoto())).unwrap();
    let apart = found.iter().zip([200, 60, 60]).map(|(one, other)| one.abs_diff(other)).max();
    assert!(apart <= Some(2), "{found:?}");
}

fn hostile_profiles_end_at_most_the_decoder(folder: &Path) {
    let whole = prophoto();
    let damaged = |at: usize| [&whole[..at], &[0xff; 8], &whole[at + 8..]].concat();
    let profiles = (0..whole.len() - 8).step_by(60).map(damaged).chain([whole[..140].to_vec(), vec![0xff; 100_000]]);
    for profile in profiles {
        match store(folder, rules(), png(&even(200, [137, 70, 50]), profile)) {
            Ok(_) | Err(Error::Picture(RefusedPicture::Type)) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn cut_picture_is_refused(folder: &Path) {
    let mut jpeg = Vec::new();
    JpegEncoder::new(&mut jpeg).encode_image(&even(600, [200, 60, 60])).unwrap();
    store(folder, rules(), jpeg.clone()).unwrap();
    let cut = store(folder, rules(), jpeg[..3000].to_vec());
    assert!(matches!(cut, Err(Error::Picture(RefusedPicture::Type))), "{cut:?}");
}

fn process_cuts_out_the_chosen_part(folder: &Path) {
    let stores = Stores::local(folder.to_owned(), String::new());
    let pictures = Pictures::new(stores, rules(), Decoder::this_program().unwrap());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let picture = RgbImage::from_fn(400, 180, |x, _| Rgb(if x < 200 { [200, 60, 60] } else { [60, 60, 200] }));
    let png = png(&picture.into(), ColorProfile::new_srgb().encode().unwrap());
    let store = |crop| runtime.block_on(pictures.store_poster(&"0".repeat(24), Some(crop), png.clone()));
    let right = Crop { x: 205, y: 60, width: 160, height: 90 };
    let stored = store(right).unwrap();
    assert_eq!((stored.width, stored.height), (400, 180), "those of the original");
    let poster = image::open(folder.join(file_of(&stored.key, 1280))).unwrap().into_rgb8();
    assert!(poster.pixels().all(|pixel| pixel[0] < 70 && pixel[2] > 190));
    for (crop, expected) in
        [(Crop { x: 241, ..right }, RefusedPicture::Outside), (Crop { height: 89, ..right }, RefusedPicture::SmallCrop)]
    {
        let refused = store(crop);
        assert!(matches!(refused, Err(Error::Picture(reason)) if reason == expected), "{refused:?}");
    }
}

/// The largest picture of each depth, with a profile.
fn largest_picture_fits_into_memory(folder: &Path) {
    let picture = even(5000, [137, 70, 50]);
    assert_eq!(u64::from(picture.width() * picture.height()), rules().max_pixels);
    for picture in [picture.to_rgba16().into(), picture] {
        let bytes = png(&picture, prophoto());
        assert!(bytes.len() < rules().max_bytes, "{}", bytes.len());
        let found = store(folder, rules(), bytes).unwrap();
        assert!(found[0] > 190, "{:?}: {found:?}", picture.color());
    }
}
