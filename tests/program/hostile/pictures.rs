//! Hostile pictures: invalid files, polyglots and files with false metadata.

use std::{fs, path::Path};

use lantern_config::Config;
use lantern_media::{
    Error,
    pictures::{
        Decoder, Kind, Pictures,
        RefusedPicture::{self, Bytes, Pixels, Type},
    },
    stores::Stores,
};

use super::{bytes::noise, films::MARK};

type Row = (&'static str, Option<RefusedPicture>, Vec<u8>);

#[tokio::test]
async fn hostile_pictures_only_get_error_codes() {
    let folder = tempfile::tempdir().unwrap();
    let mut rules = Config::default().pictures;
    rules.avatar_min = (1, 1);
    let decoder = Decoder::Apart(Path::new(env!("CARGO_BIN_EXE_lantern")).to_owned());
    let pictures = Pictures::new(Stores::local(folder.path().to_owned(), String::new()), rules, decoder);
    let mut wrong = Vec::new();
    for (name, expected, bytes) in files() {
        let code = match pictures.store(Kind::Avatar, 7, &"0".repeat(24), bytes).await {
            Ok(_) => None,
            Err(Error::Picture(refused)) => Some(refused),
            Err(error) => panic!("{name}: {error}"),
        };
        if code != expected {
            wrong.push(format!("{name}: {code:?}, not {expected:?}"));
        }
        let stored = fs::read_dir(folder.path().join("members/7")).into_iter().flatten().flatten();
        for file in stored.map(|file| file.path()) {
            assert!(expected.is_none(), "{name}: {}", file.display());
            let bytes = fs::read(&file).unwrap();
            assert!(!bytes.windows(MARK.len()).any(|window| window == MARK.as_bytes()), "{name}");
            fs::remove_file(file).unwrap();
        }
    }
    assert_eq!(wrong, [""; 0]);
}

fn files() -> Vec<Row> {
    let mut files = texts();
    files.extend(gifs());
    files.extend(pngs());
    files.extend(jpegs_and_webps());
    files
}

/// Returns files in text formats that take advantage of lenient picture programs.
fn texts() -> Vec<Row> {
    [
        "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"><image href=\"file:///etc/passwd\"/></svg>",
        "<?xml version=\"1.0\"?><!DOCTYPE s [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><svg>&x;</svg>",
        "push graphic-context\nviewbox 0 0 9 9\nfill 'url(https://127.0.0.1/\"|ls \"-la)'\npop graphic-context",
        "<?xml version=\"1.0\"?><image><read filename=\"ephemeral:/etc/passwd\"/><write filename=\"/tmp/new.php\"/></image>",
        "%!PS\nuserdict /setpagedevice undef\nmark /OutputFile (%pipe%id) currentdevice putdeviceprops",
        "%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj",
        "<!doctype html><script>alert(1)</script>",
        "#define x_width 99999\n#define x_height 99999\nstatic char x_bits[] = { 0 };",
        "P6 65535 65535 255\n",
        "/* XPM */\nstatic char *x[] = { \"99999 99999 1 9\" };",
        "8BPS\0\x01\0\0\0\0\0\0\0\x03\0\x03\0\0\0\x03\0\0\0\x08\0\x03",
        "BM\u{1}\u{1}\0\0\0\0\0\0\u{36}\0\0\0\u{28}\0\0\0\0\0\u{7f}\u{7f}\0\0\u{7f}\u{7f}\u{1}\0\u{18}\0",
        "II*\0\u{8}\0\0\0\u{1}\0\0\u{1}\u{3}\0\u{1}\0\0\0\u{7f}\u{7f}\0\0\u{8}\0\0\0",
        "\0\0\0\u{1c}ftypavif\0\0\0\0avifmif1",
        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 99999 +X 99999\n",
    ]
    .map(|text| ("a text", Some(Type), text.as_bytes().to_vec()))
    .into()
}

/// GIF with a single pixel.
const GIF: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

fn gifs() -> Vec<Row> {
    let sized = |size: [u8; 4]| [&GIF[..6], &size, &GIF[10..24], &size, &GIF[28..]].concat();
    let frames = GIF[19..GIF.len() - 1].repeat(20_000);
    vec![
        ("a dot", None, GIF.to_vec()),
        ("a dot, then a program", None, [GIF, b"PK\x03\x04<?php system($_GET[0]); ?>", MARK.as_bytes()].concat()),
        ("a script as its size", Some(Pixels), [b"GIF89a/*<?php */", MARK.as_bytes()].concat()),
        ("huge", Some(Pixels), sized([0xff; 4])),
        ("wider than it has data", Some(Type), sized([0, 4, 0, 4])),
        ("no frames", Some(Type), [&GIF[..19], b";"].concat()),
        ("frames without end", None, [&GIF[..19], &frames, b";"].concat()),
        ("codes too long", Some(Type), [&GIF[..29], b"\x1f\x02\xff\xff\0;"].concat()),
        ("cut", Some(Type), GIF[..25].to_vec()),
        ("larger than it may be", Some(Bytes), [GIF, &vec![0; 9 << 20]].concat()),
    ]
}

/// Builds a PNG chunk with a checksum.
fn part(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let named = [&name[..], content].concat();
    let mut sum = u32::MAX;
    for byte in &named {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    [&(content.len() as u32).to_be_bytes()[..], &named, &(!sum).to_be_bytes()].concat()
}

/// Builds a gray PNG of at most 65,000 pixels that contains the marker as a comment.
pub fn grey(width: u32, height: u32, shade: u8) -> Vec<u8> {
    let row = [&[0][..], &vec![shade; width as usize]].concat();
    let words = part(b"tEXt", format!("Comment\0{MARK}").as_bytes());
    let data = part(b"IDAT", &stored(&row.repeat(height as usize)));
    png(width, height, [8, 0, 0, 0, 0], &[words, data])
}

/// Builds a small PNG file that claims to be huge.
pub fn bomb() -> Vec<u8> {
    png(30_000, 30_000, [8, 0, 0, 0, 0], &[part(b"IDAT", &stored(&[0, 0]))])
}

fn png(width: u32, height: u32, kind: [u8; 5], parts: &[Vec<u8>]) -> Vec<u8> {
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &kind].concat();
    [b"\x89PNG\r\n\x1a\n".to_vec(), part(b"IHDR", &head), parts.concat(), part(b"IEND", b"")].concat()
}

/// Wraps bytes in an uncompressed zlib stream.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let sum = bytes.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65521;
        (a, (b + a) % 65521)
    });
    let length = bytes.len() as u16;
    let head = [&b"\x78\x01\x01"[..], &length.to_le_bytes(), &(!length).to_le_bytes()].concat();
    [&head, bytes, &(sum.1 << 16 | sum.0).to_be_bytes()].concat()
}

fn pngs() -> Vec<Row> {
    let grey = [8, 0, 0, 0, 0];
    let dot = || part(b"IDAT", &stored(&[0, 0]));
    let text = || part(b"tEXt", format!("Comment\0<script>{MARK}</script>").as_bytes());
    let packed = |name: &[u8; 4], head: &[u8]| part(name, &[head, &stored(&noise(1, 60_000))].concat());
    let mut wrong_sum = png(1, 1, grey, &[dot()]);
    wrong_sum[30] ^= 1;
    vec![
        ("words", None, png(1, 1, grey, &[text(), dot()])),
        ("a profile that is none", None, png(1, 1, grey, &[packed(b"iCCP", b"x\0\0"), dot()])),
        ("packed words", None, png(1, 1, grey, &[packed(b"zTXt", b"x\0\0"), dot()])),
        ("huge in four bytes", Some(Type), png(0x7fff_ffff, 0x7fff_ffff, grey, &[dot()])),
        ("larger than any", Some(Pixels), png(5001, 5000, grey, &[dot()])),
        ("less than it says", Some(Type), png(4999, 4999, [16, 6, 0, 0, 0], &[dot()])),
        ("more than it says", None, png(1, 1, grey, &[part(b"IDAT", &stored(&[0; 60_000]))])),
        ("no size", Some(Type), png(0, 1, grey, &[dot()])),
        ("no data", Some(Type), png(1, 1, grey, &[])),
        ("no palette", Some(Type), png(1, 1, [8, 3, 0, 0, 0], &[dot()])),
        ("a kind there isn't", Some(Type), png(1, 1, [9, 5, 7, 9, 9], &[dot()])),
        ("a wrong sum", Some(Type), wrong_sum),
        ("a length that is a lie", Some(Type), [&png(1, 1, grey, &[])[..33], b"\xff\xff\xff\xf0IDAT\0"].concat()),
    ]
}

fn jpegs_and_webps() -> Vec<Row> {
    let large = b"\xff\xd8\xff\xc0\0\x11\x08\xff\xff\xff\xff\x03\x01\x22\0\x02\x11\x01\x03\x11\x01\xff\xda";
    let table = [&b"\xff\xd8\xff\xc4\0\x20\0"[..], &[0xff; 40], b"\xff\xd9"].concat();
    let turns = b"\xff\xd8\xff\xe1\0\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\xff\xff\xff\xff\x09\0\0\0\x08\0\0\0\xff\xd9".to_vec();
    let webp = |kind: &[u8; 4], content: &[u8]| {
        let size = (content.len() as u32).to_le_bytes();
        [b"RIFF", &(content.len() as u32 + 12).to_le_bytes()[..], b"WEBP", kind, &size, content].concat()
    };
    vec![
        ("only a head", Some(Type), b"\xff\xd8\xff\xe0\0\x10JFIF\0".to_vec()),
        ("huge and cut", Some(Type), large.to_vec()),
        ("a table that overflows", Some(Type), table),
        ("marks that turn in circles", Some(Type), turns),
        ("segments without end", Some(Type), [b"\xff\xd8".to_vec(), b"\xff\xfe\0\x02".repeat(100_000)].concat()),
        ("a huge one without loss", Some(Type), webp(b"VP8L", b"\x2f\xff\xff\xff\x0f\0\0\0")),
        ("a huge canvas", Some(Type), webp(b"VP8X", b"\x02\0\0\0\xff\xff\xff\xff\xff\xff")),
        (
            "a size that is a lie",
            Some(Type),
            [&b"RIFF\xff\xff\xff\xffWEBPVP8 \xff\xff\xff\xff"[..], &noise(2, 300)].concat(),
        ),
        ("frames without pictures", Some(Type), webp(b"VP8X", b"\x02\0\0\0\0\0\0\0\0\0ANIM\x06\0\0\0\0\0\0\0\0\0")),
    ]
}
