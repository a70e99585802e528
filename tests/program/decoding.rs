//! Sandbox of the picture decoder.

use std::{
    fs,
    io::{Read, Write},
    os::unix::{fs::PermissionsExt, process::ExitStatusExt},
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use lantern_config::{Config, Pictures as Rules};
use lantern_media::{
    Error,
    pictures::{Decoder, Pictures},
    stores::Stores,
};
use nix::sys::signal::Signal;

use crate::{database, lantern, ready, stop};

/// GIF with a single pixel.
const GIF: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

/// Starts a decoder that waits for its picture on standard input.
fn decoder(memory: u64) -> Child {
    let rules = format!(
        r#"{{"max_bytes":100000,"max_side":10000,"max_pixels":1000000,"quality":84,"avatar_min":[1,1],"cover_min":[1,1],
            "photo_bytes":100000,"photo_min":[1,1],"poster_min":[1,1],"photo_frames":1,
            "memory":{memory},"cpu_seconds":5,"time_ms":8000,"concurrency":1,"orphan_minutes":60,"orphan_sweep_minutes":60,
            "look_bits":31,"look_quality":50}}"#
    );
    Command::new(env!("CARGO_BIN_EXE_lantern"))
        .args(["decode-picture", &format!(r#"{{"kind":null,"rules":{rules}}}"#)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[tokio::test]
async fn timeout_is_not_reported_as_invalid_picture() {
    let folder = tempfile::tempdir().unwrap();
    let slow = folder.path().join("decoder");
    fs::write(&slow, "#!/bin/sh\nexec sleep 60\n").unwrap();
    fs::set_permissions(&slow, fs::Permissions::from_mode(0o755)).unwrap();
    let rules = Rules { time_ms: 50, ..Config::default().pictures };
    let pictures =
        Pictures::new(Stores::local(folder.path().join("media"), String::new()), rules, Decoder::Apart(slow));
    let refused = pictures.store_private(folder.path(), "picture.jpg", GIF.to_vec()).await.unwrap_err();
    assert!(matches!(refused, Error::TimedOut { .. }), "{refused}");
}

fn decoded(mut child: Child, picture: &[u8]) -> (ExitStatus, Vec<u8>) {
    child.stdin.take().unwrap().write_all(picture).unwrap();
    let mut out = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    (child.wait().unwrap(), out)
}

#[test]
fn picture_is_decoded_in_sandbox() {
    let child = decoder(1 << 30);
    let since = Instant::now();
    let status = loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        if status.contains("Seccomp:\t2") {
            break status;
        }
        assert!(since.elapsed() < Duration::from_secs(60), "system calls are not filtered: {status}");
        std::thread::yield_now();
    };
    assert!(status.contains("NoNewPrivs:\t1"), "{status}");
    let limits = fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
    for (limit, most) in [
        ("Max open files", "0"),
        ("Max processes", "0"),
        ("Max file size", "0"),
        ("Max core file size", "0"),
        ("Max cpu time", "5"),
        ("Max address space", "1073741824"),
    ] {
        let line = limits.lines().find_map(|line| line.strip_prefix(limit)).unwrap();
        let words: Vec<&str> = line.split_whitespace().take(2).collect();
        assert_eq!(words, [most, most], "{limit}");
    }
    let (status, out) = decoded(child, GIF);
    assert!(status.success(), "{status}");
    let (head, jpeg) = (&out[..16], &out[20..22]);
    let (none, one) = ([0, 0, 0, 0], [1, 0, 0, 0]);
    assert_eq!(
        (head, jpeg),
        (&[one, one, none, one].concat()[..], &[0xff, 0xd8][..]),
        "size, no print, width, and a JPEG"
    );
}

#[test]
fn invalid_and_huge_pictures_end_only_the_decoder() {
    assert_eq!(decoded(decoder(1 << 30), b"no picture").0.code(), Some(3));
    // The file claims to be 65,535 pixels wide and high.
    let mut bomb = GIF.to_vec();
    bomb[6..10].fill(0xff);
    assert_eq!(decoded(decoder(1 << 30), &bomb).0.code(), Some(5));
    // The pixels don't fit into memory. The decoder must abort without output at once, not at the CPU limit.
    let (status, out) = decoded(decoder(1 << 20), &wide_gif());
    assert!(out.is_empty() && status.signal().is_some_and(|signal| signal != Signal::SIGKILL as i32), "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn site_survives_its_decoder() {
    let avatar = wide_gif();
    for (memory, expected) in [("1073741824", 200), ("16000000", 422)] {
        let folder = tempfile::tempdir().unwrap();
        let child = lantern(folder.path())
            .args(["up", "--port", "0", "--seed-videos", "40"])
            .env("LANTERN__PICTURES__MAX_PIXELS", "1000000")
            .env("LANTERN__PICTURES__MEMORY", memory)
            // This avoids timeouts on a busy machine.
            .env("LANTERN__PICTURES__TIME_MS", "100000")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (child, ports) = ready(child);
        let pool = database(folder.path()).await;
        let token = "t".repeat(43);
        sqlx::query(
            "insert into sessions (user_id, token_hash, expires_at)
             select id, sha256($1::text::bytea), now() + interval '1 day' from users where username = 'demo'",
        )
        .bind(&token)
        .execute(&pool)
        .await
        .unwrap();
        pool.close().await;
        let head = "--x\r\ncontent-disposition: form-data; name=\"u_ava\"; filename=\"a.gif\"\r\ncontent-type: image/gif\r\n\r\n";
        let body = [head.as_bytes(), &avatar, b"\r\n--x--\r\n"].concat();
        let site = format!("http://127.0.0.1:{}", ports.site);
        let reply = reqwest::Client::new()
            .post(format!("{site}/api/member.php"))
            .header("cookie", format!("session={token}"))
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "multipart/form-data; boundary=x")
            .body(body)
            .send()
            .await
            .unwrap();
        let (status, text) = (reply.status().as_u16(), reply.text().await.unwrap());
        assert_eq!(status, expected, "{text}");
        assert_eq!(text.contains("file_invalid_type"), expected == 422, "{text}");
        assert!(reqwest::get(format!("{site}/api/me.php")).await.unwrap().status().is_success());
        stop(child);
    }
}

/// Returns a GIF of 200 × 200 pixels in one color. It uses 3-bit LZW codes, each of which is either "clear" or a pixel.
fn wide_gif() -> Vec<u8> {
    let mut gif =
        b"GIF89a\xc8\x00\xc8\x00\x80\x00\x00\x20\x40\x60\xff\xff\xff,\x00\x00\x00\x00\xc8\x00\xc8\x00\x00\x02".to_vec();
    let (mut bits, mut held, mut data) = (0_u32, 0, Vec::new());
    let mut code = |value: u32| {
        bits |= value << held;
        held += 3;
        while held >= 8 {
            data.push((bits & 0xff) as u8);
            bits >>= 8;
            held -= 8;
        }
    };
    // The table is cleared after every two pixels, so codes stay at three bits.
    for _ in 0..200 * 200 / 2 {
        for value in [4, 0, 0] {
            code(value);
        }
    }
    code(5);
    code(0);
    code(0);
    for chunk in data.chunks(255) {
        gif.push(chunk.len() as u8);
        gif.extend(chunk);
    }
    gif.extend(b"\x00;");
    gif
}
