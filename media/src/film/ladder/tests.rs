use lantern_config::Config;

use super::*;
use crate::film::probe::tests::source;

fn planned(source: &Source, change: impl FnOnce(&mut Films)) -> Vec<Rendition> {
    let mut config = Config::load(None).unwrap();
    change(&mut config.films);
    plan(source, (&config.films).into())
}

fn sizes(width: u32, height: u32) -> Vec<(u32, u32)> {
    planned(&source(width, height), |_| {}).iter().map(|rendition| (rendition.width, rendition.height)).collect()
}

#[test]
fn film_has_its_own_size_and_the_rungs_below() {
    assert_eq!(sizes(1920, 1080), [(426, 240), (854, 480), (1280, 720), (1920, 1080)]);
    assert_eq!(sizes(3840, 2160), [(426, 240), (854, 480), (1280, 720), (1920, 1080), (3840, 2160)]);
    assert_eq!(sizes(7680, 4320), [(426, 240), (854, 480), (1280, 720), (1920, 1080), (3840, 2160)]);
    assert_eq!(sizes(1916, 1078), [(426, 240), (854, 480), (1280, 720), (1916, 1078)]);
    assert_eq!(sizes(1280, 719), [(428, 240), (854, 480), (1278, 718)]);
    assert_eq!(sizes(1280, 544), [(564, 240), (1130, 480), (1280, 544)]);
    assert_eq!(sizes(640, 360), [(426, 240), (640, 360)]);
    assert_eq!(sizes(854, 480), [(428, 240), (854, 480)]);
    assert_eq!(sizes(1080, 1920), [(240, 426), (480, 854), (720, 1280), (1080, 1920)]);
    assert_eq!(sizes(177, 145), [(176, 144)]);
    assert_eq!(sizes(480, 480), [(240, 240), (480, 480)]);
    let small = planned(&source(1920, 1080), |films| films.max_height = 600);
    assert_eq!(small.last().map(|top| (top.width, top.height, top.rung.height)), Some((1066, 600, 600)));
}

#[test]
fn own_size_has_the_settings_of_the_next_rung() {
    let rates = |width, height| -> Vec<(u16, u32)> {
        planned(&source(width, height), |_| {}).iter().map(|it| (it.rung.height, it.rung.max_rate)).collect()
    };
    assert_eq!(rates(640, 360), [(240, 400), (360, 1400)]);
    assert_eq!(rates(180, 100), [(100, 400)]);
    let above = planned(&source(2560, 1440), |films| films.ladder.truncate(2));
    assert_eq!(
        above.iter().map(|it| (it.rung.height, it.rung.crf)).collect::<Vec<_>>(),
        [(240, 27), (480, 25), (1440, 25)]
    );
}

#[test]
fn plain_video_is_copied_unless_scaled_or_above_bit_rate() {
    let copied = |change: fn(&mut Source)| {
        let mut film = source(854, 480);
        change(&mut film);
        planned(&film, |_| {}).iter().map(|rendition| rendition.is_copied).collect::<Vec<_>>()
    };
    assert_eq!(copied(|_| {}), [false, true]);
    assert_eq!(copied(|film| film.bit_rate = Some(3_000_000)), [false, false]);
    assert_eq!(copied(|film| film.bit_rate = None), [false, false]);
    assert_eq!(copied(|film| film.is_plain = false), [false, false]);
    assert_eq!(copied(|film| film.height = 483), [false, false, false]);
    let small = planned(&source(854, 480), |films| films.max_height = 400);
    assert!(small.iter().all(|rendition| !rendition.is_copied));
}
