use super::*;

fn cue(from: u32, to: u32, text: &str) -> Cue {
    Cue { from, to, text: text.to_owned(), settings: String::new() }
}

fn texts(captions: &str) -> Vec<String> {
    read(captions.as_bytes()).unwrap().into_iter().map(|cue| cue.text).collect()
}

#[test]
fn vtt_is_read_and_written() {
    let vtt_text = "WEBVTT - made by hand\n\nNOTE two\nlines\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.500 line:0 \
                    align:start region:x foo\nHello <v.loud Ann>there</v>\n<i>again</i>\n\n1:00:00.000 --> 1:00:01.000\nTom &amp; <b>Jerry\n";
    let cues = read(vtt_text.as_bytes()).unwrap();
    let first = Cue { settings: "line:0 align:start".to_owned(), ..cue(1000, 2500, "Hello there\n<i>again</i>") };
    assert_eq!(cues, [first, cue(3_600_000, 3_601_000, "Tom &amp; <b>Jerry</b>")]);
    assert_eq!(cues[0].plain(), "Hello there again");
    assert_eq!(cues[1].plain(), "Tom & Jerry");
    let written = vtt(&cues);
    assert_eq!(
        written,
        "WEBVTT\n\n00:00:01.000 --> 00:00:02.500 line:0 align:start\nHello there\n<i>again</i>\n\n01:00:00.000 --> 01:00:01.000\n\
         Tom &amp; <b>Jerry</b>\n"
    );
    assert_eq!(read(written.as_bytes()).unwrap(), cues, "what is written is read the same");
}

#[test]
fn srt_is_read_as_programs_write_it() {
    let srt = "\u{FEFF}1\r\n00:00:01,000 --> 00:00:02,000 X1:1 X2:2\r\n{\\an8}- <font color=\"#fff\">Who?</font>\r\n- 3 < 4 & so\r\n\r\n\r\n\
               2\r\n00:00:00,5 --> 00:00:00,75\r\nEarlier\r\n\r\nafter an empty line\r\n\r\n3\r\n00:00:03,000 --> 00:00:04,000\r\n\r\n";
    let cues = read(srt.as_bytes()).unwrap();
    let top = Cue { settings: "line:0".to_owned(), ..cue(1000, 2000, "- Who?\n- 3 &lt; 4 &amp; so") };
    assert_eq!(cues, [cue(500, 750, "Earlier\nafter an empty line"), top]);
    assert_eq!(texts("00:00:01.000 --> 00:00:02.000\nno number\n"), ["no number"]);
    assert_eq!(texts("1\n00:00:01,000 --> 00:00:02,000\n--> is an arrow\n"), ["--&gt; is an arrow"]);
}

#[test]
fn ass_is_read_with_its_own_fields() {
    let ass = "[Script Info]\nTitle: x\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n\n[Events]\n\
               Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n\
               Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,not shown\n\
               Dialogue: 0,0:00:01.50,0:00:02.00,Default,Ann,0,0,0,,{\\an8\\i1}Well, yes{\\i0}\\Nno <b> & so\n\
               Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}{\\pos(1,2)}shown\n";
    let first = Cue { settings: "line:0".to_owned(), ..cue(1500, 2000, "<i>Well, yes</i>\nno &lt;b&gt; &amp; so") };
    assert_eq!(read(ass.as_bytes()), Ok(vec![first, cue(3000, 4000, "shown")]));
    let without_times = "[Events]\nFormat: Start, End, Text\nDialogue: 1,2,3\n";
    assert_eq!(read(without_times.as_bytes()), Err(CaptionError::Times(3)));
    assert_eq!(read(b"[Events]\nDialogue: 1,2,3\n"), Err(CaptionError::Format));
}

#[test]
fn encodings_are_detected() {
    let srt = "1\n00:00:01,000 --> 00:00:02,000\nСегодня мы едем на ночной рынок, это очень интересно\n";
    let legacy = encoding_rs::WINDOWS_1251.encode(srt).0;
    assert_eq!(read(&legacy).unwrap(), read(srt.as_bytes()).unwrap(), "windows-1251");
    let japanese = "1\n00:00:01,000 --> 00:00:02,000\n今夜は夜市に行きましょう。とても楽しいですよ。\n";
    let legacy = encoding_rs::SHIFT_JIS.encode(japanese).0;
    assert_eq!(read(&legacy).unwrap(), read(japanese.as_bytes()).unwrap(), "Shift_JIS");
    let utf_16: Vec<u8> = "\u{FEFF}".encode_utf16().chain(srt.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&utf_16).unwrap(), read(srt.as_bytes()).unwrap(), "UTF-16");
}

#[test]
fn what_is_wrong_is_named() {
    for (captions, why) in [
        ("", CaptionError::Format),
        ("just a text\n\nof two blocks", CaptionError::Format),
        ("GIF89a\0\0\x01", CaptionError::Format),
        ("WEBVTT\n", CaptionError::Empty),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n<b></b>\n", CaptionError::Empty),
        ("1\n00:00:01,000 --> soon\nHi\n", CaptionError::Times(2)),
        ("1\n00:00:02,000 --> 00:00:01,000\nbackwards\n", CaptionError::Times(2)),
        ("1\n00:00:01,000 --> 00:00:02,000\nHi\n\n2\n00:00:03,000 -> 00:00:04,000\n", CaptionError::Times(5)),
        ("1\n00:00:01,000 --> 99999999:00:02,000\nHi\n", CaptionError::Times(2)),
    ] {
        assert_eq!(read(captions.as_bytes()), Err(why), "{captions:?}");
    }
}

#[test]
fn markup_stays_harmless() {
    let body = "<script>alert(1)</script><i onclick=x>a<i>b</b></i> &lt;img&gt; <c.yellow>y</c> <00:01.500>late";
    let found = texts(&format!("WEBVTT\n\n00:01.000 --> 00:02.000\n{body}\n"));
    assert_eq!(found, ["alert(1)<i>ab</i> &lt;img&gt; y late"]);
    assert_eq!(texts("WEBVTT\n\n00:01.000 --> 00:02.000\n<i>\n<b>x</b>\ny\n</i>\n"), ["<i><b>x</b>\ny</i>"]);
}
