//! Compares the configured memory limit with the memory usage that the kernel reports.

use std::{fmt::Write as _, io::Write as _, process::Command};

use lantern_search::index::{Ref, VideoCard, VideosAnswer, clip_pictures, duration_text, rfc3339};

use super::*;

/// Memory limit of the cache in bytes.
const LIMIT: u64 = 64 << 20;
/// Tolerance as a fraction of the limit: responses in flight, compressors, and fragmentation.
const MARGIN: f64 = 0.15;

#[tokio::test]
async fn entries_stay_within_the_limit() {
    let fixture = Fixture::configured(|config| config.cache.max_bytes = 200_000);
    for key in 0..500 {
        fixture.get(&key.to_string(), &[]).await;
    }
    assert!(fixture.metric("bytes").await <= 200_000);
    assert!(fixture.metric("bytes").await > 150_000);
    assert_eq!(fixture.metric("misses_total").await, 500);
    assert!(fixture.metric("evictions_total").await > 400);
}

/// Fills a cache with each kind of answer in a separate process, so that no other test affects the measurement.
#[test]
fn process_memory_stays_within_the_limit() {
    let (_, module) = module_path!().split_once("::").expect("a module");
    for kind in ["empty_lists", "small_lists_in_all_encodings", "large_lists", "lists_of_cards"] {
        let exact = format!("{module}::{kind}");
        let child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--ignored", "--exact", &exact, "--nocapture"])
            .output()
            .expect("a process");
        let output = String::from_utf8_lossy(&child.stdout);
        let (_, output) = output.split_once("grown ").unwrap_or_else(|| panic!("{kind}: {output}"));
        let grown: f64 = output.split_whitespace().next().and_then(|bytes| bytes.parse().ok()).expect("bytes");
        let fraction = grown / LIMIT as f64;
        assert!(fraction < 1.0 + MARGIN, "{kind}: {fraction:.2} of the limit");
        // Overestimating sizes would waste the rest of the limit.
        assert!(fraction > 0.5, "{kind}: only {fraction:.2} of the limit");
    }
}

#[test]
#[ignore = "run in a separate process"]
fn empty_lists() {
    let empty = |_| ("{\"videos\":[],\"total_count\":0,\"categories\":[]}".to_owned(), Vec::new());
    fill(30_000, empty, &[""]);
}

#[test]
#[ignore = "run in a separate process"]
fn small_lists_in_all_encodings() {
    fill(6_000, |n| (text(n, 2_500), (0..10).map(video).collect()), &["br", "br", "zstd", "zstd", "gzip", "gzip"]);
}

#[test]
#[ignore = "run in a separate process"]
fn large_lists() {
    fill(2_000, |n| (text(n, 20_000), (0..60).map(video).collect()), &["br", "br"]);
}

/// The usual case is a value with many small texts.
#[test]
#[ignore = "run in a separate process"]
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
        chapter: None,
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

/// Requests more answers than fit into the cache, each in these encodings, and prints by how much the process grew.
fn fill_with<T: Cacheable>(count: usize, answer: impl Fn(usize) -> T, encodings: &[&'static str]) {
    let get = async |fixture: &Fixture, n: usize| {
        let key = format!("videos2/86400/gay/longest/1/all..1.hd.{}-{}.day", n % 1440, n / 1440);
        for encoding in encodings {
            let answer = answer(n);
            let compute = async move { Ok(answer) };
            fixture.cache.respond(&key, 86_400, &accepting(encoding), compute).await.expect("answer");
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        // Excludes the memory that every process needs once.
        let first = Fixture::new();
        get(&first, 0).await;
        let before = resident();
        let fixture = Fixture::configured(|config| config.cache.max_bytes = LIMIT);
        for n in 0..count {
            get(&fixture, n).await;
        }
        assert!(fixture.metric("evictions_total").await > 0, "all answers fit");
        let grown = resident().saturating_sub(before);
        let (entries, weighed) = (fixture.metric("entries").await, fixture.metric("bytes").await);
        writeln!(std::io::stdout(), "grown {grown} bytes for {entries} answers counted as {weighed}").expect("printed");
    });
}

/// Returns the resident memory of the process in bytes, excluding mapped files.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("proc");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("RssAnon");
    1024 * line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number")
}

/// Returns pseudorandom words that compress about as well as titles do.
fn text(seed: usize, length: usize) -> String {
    const SYLLABLES: [&str; 16] =
        ["lan", "tern", "ka", "ri", "mo", "sen", "ta", "shi", "ve", "lo", "ner", "du", "pa", "qui", "zo", "ber"];
    let mut state = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut text = String::with_capacity(length + 64);
    while text.len() < length {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let random = (state >> 33) as usize;
        text.push_str(SYLLABLES[random % 16]);
        match random / 16 % 8 {
            0..=2 => text.push(' '),
            3 => {
                let _ = write!(text, "\",\"video_id\":{},\"title\":\"", random / 128 % 100_000);
            }
            _ => {}
        }
    }
    text
}
