use super::*;

fn starts(chapters: &[Chapter]) -> Vec<(i32, &str)> {
    chapters.iter().map(|chapter| (chapter.start, chapter.title.as_str())).collect()
}

#[test]
fn lines_are_read_in_every_common_form() {
    for (line, expected) in [
        ("0:00 Opening", Some((0, "Opening"))),
        ("00:00 Opening", Some((0, "Opening"))),
        ("1:02:03 Credits", Some((3723, "Credits"))),
        ("75:30 Late", Some((4530, "Late"))),
        ("  - [1:23] - A   walk ", Some((83, "A walk"))),
        ("(1:23) A walk", Some((83, "A walk"))),
        ("1:23: A walk", Some((83, "A walk"))),
        ("1:23 – A walk", Some((83, "A walk"))),
        ("1:23 | A walk", Some((83, "A walk"))),
        ("1:23-2:00 A walk", Some((83, "A walk"))),
        ("1:23 – 2:00: A walk", Some((83, "A walk"))),
        ("1:23 12:00 noon", Some((83, "12:00 noon"))),
        ("5:00 - 4:30 is no range", Some((300, "4:30 is no range"))),
        ("１：２３　散歩", Some((83, "散歩"))),
        ("【1:23】散歩", Some((83, "散歩"))),
        ("1:23散歩", Some((83, "散歩"))),
        ("1:23：散歩", Some((83, "散歩"))),
        ("1:23 «Прогулка»", Some((83, "«Прогулка»"))),
        ("1:23 <script>alert(1)</script>", Some((83, "<script>alert(1)</script>"))),
        ("1:23", None),
        ("1:23 - ", None),
        ("1:60 A walk", None),
        ("1:60:00 A walk", None),
        ("1:2 A walk", None),
        ("1:2:03 A walk", None),
        ("1:02:03:04 A walk", None),
        ("1234:00 A walk", None),
        (":23 A walk", None),
        ("1::23 A walk", None),
        ("10:30pm A walk", None),
        ("1:23.5 A walk", None),
        ("A walk 1:23", None),
        ("A walk", None),
        ("", None),
        ("99999999999999999999:00 A walk", None),
    ] {
        let read = chapter(line);
        assert_eq!(read.as_ref().map(|chapter| (chapter.start, chapter.title.as_str())), expected, "{line}");
    }
}

#[test]
fn first_bad_line_is_named() {
    let refused = |text| written(text, Some(100)).unwrap_err();
    assert_eq!(refused("0:00 A\n\nsecond\n0:30 C"), BadLine::Unreadable(3));
    assert_eq!(refused("\n0:01 A\n0:30 B"), BadLine::Start(2));
    assert_eq!(refused("0:00 A\n0:30 B\n0:30 C"), BadLine::Order(3));
    assert_eq!(refused("0:00 A\n0:30 B\n0:20 C"), BadLine::Order(3));
    assert_eq!(refused("0:00 A\n1:40 B"), BadLine::Late(2));
    assert_eq!(starts(&written("0:00 A\r\n\r\n1:39 B\r\n", Some(100)).unwrap()), [(0, "A"), (99, "B")]);
    assert_eq!(starts(&written("0:00 A\n1:40 B", None).unwrap()), [(0, "A"), (100, "B")]);
    assert_eq!(written(" \n", Some(100)), Ok(Vec::new()));
}

#[test]
fn descriptions_have_chapters_only_if_all_their_times_make_some() {
    let found = |text: &str| described(text, 600).len();
    assert_eq!(found("A walk.\n\n0:00 A\n1:00 B\nWith friends.\n2:00 C\n\nThanks!"), 3);
    assert_eq!(found("0:00 A\n1:00 B"), 0, "two times");
    assert_eq!(found("0:10 A\n1:00 B\n2:00 C"), 0, "no beginning");
    assert_eq!(found("0:00 A\n2:00 B\n1:00 C"), 0, "not in order");
    assert_eq!(found("0:00 A\n1:00 B\n10:00 C"), 0, "after the end");
    assert_eq!(found("Every day at 10:30 pm\nand 11:00 pm"), 0);
}

#[test]
fn stored_chapters_are_those_of_the_film() {
    let chapters = vec![
        Chapter { start: 0, title: "Opening".to_owned() },
        Chapter { start: 83, title: "A walk".to_owned() },
        Chapter { start: 3723, title: "Credits".to_owned() },
    ];
    let text = text(&chapters);
    assert_eq!(text, "0:00 Opening\n1:23 A walk\n1:02:03 Credits");
    assert_eq!(stored(&text, 4000), chapters);
    assert_eq!(stored(&text, 83), chapters[..1]);
    assert_eq!(starts(&stored("typed by hand\n0:00 A", 9)), [(0, "A")]);
}

#[test]
fn stored_chapters_replace_those_of_descriptions() {
    let titles = |stored, descriptions: &[&str]| {
        let (at, found) = of(stored, descriptions, 60);
        (at, found.into_iter().map(|chapter| chapter.title).collect::<Vec<_>>().join(" "))
    };
    let (german, english) = ("0:00 Eins\n0:10 Zwei\n0:20 Drei", "0:00 One\n0:10 Two\n0:20 Three");
    assert_eq!(titles("0:00 A\n0:10 B", &[german, english]), (None, "A B".to_owned()));
    assert_eq!(titles("", &[german, english]), (Some(0), "Eins Zwei Drei".to_owned()));
    assert_eq!(titles("", &["Ein Markt.", english]), (Some(1), "One Two Three".to_owned()));
    assert_eq!(titles("", &[""]), (None, String::new()));
}

#[test]
fn new_film_keeps_the_chapters_that_fit_it() {
    let own = "0:00 Opening\n1:00 The stalls\n2:00 The end";
    let described = "0:00 One\n0:20 Two\n0:40 Three";
    for (chapters, description, of_film, seconds, expected) in [
        (own, "", "0:00 Of the file", 120, "0:00 Opening\n1:00 The stalls"),
        (own, "", "", 121, own),
        ("", "", "0:00 Of the file", 120, "0:00 Of the file"),
        ("", described, "0:00 Of the file", 120, ""),
        // Times after the end make no chapters, so those of the file count.
        ("", described, "0:00 Of the file", 30, "0:00 Of the file"),
    ] {
        assert_eq!(replaced(chapters, description, of_film, seconds), expected, "{chapters:?}, {seconds}");
    }
}
