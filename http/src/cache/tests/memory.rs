//! Memory: what the configuration bounds is what the kernel counts.

use std::{fmt::Write as _, io::Write as _, process::Command};

use lantern_search::index::{Ref, VideoCard, VideosAnswer, clip_pictures, duration_text, rfc3339};

use super::*;

const BOUND: u64 = 64 << 20;
/// What the process may grow beyond the bound, as a part of it: answers that are on their way out, compressors, and gaps that
/// the allocator keeps.
const MARGIN: f64 = 0.15;

#[tokio::test]
async fn no_more_is_kept_than_the_bound() {
    let fixture = Fixture::configured(|config| config.cache.max_bytes = 200_000);
    for key in 0..500 {
        fixture.ask(&key.to_string(), &[]).await;
    }
    assert!(fixture.metric("bytes").await <= 200_000);
    assert!(fixture.metric("bytes").await > 150_000);
    assert_eq!(fixture.metric("misses_total").await, 500);
    assert!(fixture.metric("evictions_total").await > 400);
}

/// Each kind of answer fills a cache in a process of its own, whose memory nothing else is in.
#[test]
fn the_process_grows_by_no_more_than_the_bound() {
    let (_, module) = module_path!().split_once("::").expect("a module");
    for kind in ["empty_lists", "small_lists_in_every_form", "large_lists", "lists_of_cards"] {
        let exact = format!("{module}::{kind}");
        let child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--ignored", "--exact", &exact, "--nocapture"])
            .output()
            .expect("a process");
        let said = String::from_utf8_lossy(&child.stdout);
        let (_, said) = said.split_once("grown ").unwrap_or_else(|| panic!("{kind}: {said}"));
        let grown: f64 = said.split_whitespace().next().and_then(|bytes| bytes.parse().ok()).expect("bytes");
        let part = grown / BOUND as f64;
        assert!(part < 1.0 + MARGIN, "{kind}: {part:.2} of the bound");
        // A bound that keeps half of what there is room for would waste the other half.
        assert!(part > 0.5, "{kind}: only {part:.2} of the bound");
    }
}

#[test]
#[ignore = "measured in a process of its own"]
fn empty_lists() {
    let empty = |_| ("{\"videos\":[],\"total_count\":0,\"categories\":[]}".to_owned(), Vec::new());
    fill(30_000, empty, &[""]);
}

#[test]
#[ignore = "measured in a process of its own"]
fn small_lists_in_every_form() {
    fill(6_000, |n| (text(n, 2_500), (0..10).map(video).collect()), &["br", "br", "zstd", "zstd", "gzip", "gzip"]);
}

#[test]
#[ignore = "measured in a process of its own"]
fn large_lists() {
    fill(2_000, |n| (text(n, 20_000), (0..60).map(video).collect()), &["br", "br"]);
}

/// What lists consist of: a value of many small texts beside the JSON.
#[test]
#[ignore = "measured in a process of its own"]
fn lists_of_cards() {
    let exact = |n, length| text(n, length).into_boxed_str().into_string();
    let named = |n: usize| Ref { dir: exact(n, 12), title: exact(n + 1, 14) };
    let card = |n: usize| VideoCard {
        video_id: n as i64,
        dir: exact(n, 30),
        title: exact(n + 1, 36),
        title_lang: "en",
        duration: duration_text(725),
        pictures: clip_pictures(Some("demo/0123456789"), 3),
        post_date: rfc3339(1_800_000_000),
        rating: 4.5,
        video_viewed: 1204,
        comments: 3,
        is_hd: true,
        is_uncensored: false,
        models: (n..n + 2).map(named).collect(),
        categories: (n..n + 4).map(named).collect(),
        playlist_id: None,
        page: None,
        formatted: None,
    };
    let answer = |n: usize| VideosAnswer { videos: (n..n + 60).map(card).collect(), ..VideosAnswer::default() };
    fill_with(700, answer, &["br", "br"]);
}

fn fill(count: usize, answer: impl Fn(usize) -> (String, Vec<Object>), encodings: &[&'static str]) {
    let answer = |run| {
        let (filling, objects) = answer(run);
        TestAnswer { run, filling, objects }
    };
    fill_with(count, answer, encodings);
}

/// Asks for more answers than there is room for, each in these encodings, and tells by how much the process grew.
fn fill_with<T: Kept>(count: usize, answer: impl Fn(usize) -> T, encodings: &[&'static str]) {
    let ask = async |fixture: &Fixture, n: usize| {
        let key = format!("videos2/86400/gay/longest/1/all..1.hd.{}-{}.day", n % 1440, n / 1440);
        for encoding in encodings {
            let answer = answer(n);
            let compute = async move { Ok(answer) };
            fixture.cache.respond(&key, 86_400, &accepting(encoding), compute).await.expect("answer");
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        // What every process needs once is not the cache's.
        let first = Fixture::new();
        ask(&first, 0).await;
        let before = resident();
        let fixture = Fixture::configured(|config| config.cache.max_bytes = BOUND);
        for n in 0..count {
            ask(&fixture, n).await;
        }
        assert!(fixture.metric("evictions_total").await > 0, "there was room for all");
        let grown = resident().saturating_sub(before);
        let (entries, weighed) = (fixture.metric("entries").await, fixture.metric("bytes").await);
        writeln!(std::io::stdout(), "grown {grown} bytes for {entries} answers counted as {weighed}").expect("printed");
    });
}

/// Memory of the process without mapped files, in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("proc");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("its memory");
    1024 * line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number")
}

/// Words that are drawn, as titles are: of the same language, not the same.
fn text(seed: usize, length: usize) -> String {
    const SYLLABLES: [&str; 16] =
        ["lan", "tern", "ka", "ri", "mo", "sen", "ta", "shi", "ve", "lo", "ner", "du", "pa", "qui", "zo", "ber"];
    let mut state = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut text = String::with_capacity(length + 64);
    while text.len() < length {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let drawn = (state >> 33) as usize;
        text.push_str(SYLLABLES[drawn % 16]);
        match drawn / 16 % 8 {
            0..=2 => text.push(' '),
            3 => {
                let _ = write!(text, "\",\"video_id\":{},\"title\":\"", drawn / 128 % 100_000);
            }
            _ => {}
        }
    }
    text
}
