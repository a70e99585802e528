use time::macros::{date, datetime};

use super::*;

fn check(line: &str) -> Result<CheckedLine, Refusal> {
    let mut config = Config::load(None).unwrap();
    config.embeds.insert("videos".to_owned(), "https://player.example/{id}".to_owned());
    config.films.chapter_title_max = 20;
    let mut names = Names::default();
    names.add_category(3, "travel", ["Travel"].into_iter());
    names.add_model(7, "ana", date!(1990 - 02 - 28), ["Ana"].into_iter());
    let rules = Rules {
        config: &config,
        prohibited: TermList::new(&["forbidden".to_owned()]),
        lang: Lang::En,
        orientation: Gender::Str,
        is_cleared: true,
        now: datetime!(2026-10-01 00:00 UTC),
    };
    rules.check(&serde_json::from_str(line).unwrap(), &names)
}

#[test]
fn valid_line_becomes_row() {
    let line = r#"{"id":"a","title":" A  walk ","duration":"10:00","categories":["TRAVEL","Nowhere"],"models":["Ana"],"nobody":true,
        "embed":{"site":"videos","id":"x1"},"date":"2024-05-01","chapters":"0:00 - A\n[9:59] B"}"#;
    let CheckedLine { row, unknown_categories, .. } = check(line).unwrap();
    assert_eq!((row.title.as_str(), row.dir.as_str(), row.duration, row.lang), ("A walk", "a-walk", 600, "en"));
    assert_eq!(row.chapters, "0:00 A\n9:59 B");
    assert_eq!((row.categories, row.models), (vec![3], vec![7]));
    assert_eq!(row.date, Some(datetime!(2024-05-01 00:00 UTC)));
    for text in ["2019-02-03T12:00:00Z", "2019-02-03 12:00:00", "1549195200"] {
        assert_eq!(moment(text), Some(datetime!(2019-02-03 12:00 UTC)), "{text}");
    }
    assert_eq!(moment("2019-02-30"), None);
    assert_eq!(row.publish_at, None);
    assert_eq!(unknown_categories, ["Nowhere"]);
    assert!(!row.is_cleared, "Ana's consent is missing");
}

#[test]
fn publication_is_scheduled_within_bounds() {
    let at = |text: &str| {
        let line = format!(r#"{{"id":"a","title":"A walk","duration":600,"publish_at":"{text}"}}"#);
        check(&line).map(|checked| checked.row.publish_at).map_err(|refusal| (refusal.code, refusal.field))
    };
    let evening = datetime!(2026-12-24 18:00 +01:00);
    assert_eq!(at("2026-12-24T18:00:00+01:00"), Ok(Some(evening)));
    assert_eq!(at("2025-12-24T18:00:00+01:00"), Ok(Some(evening - Duration::days(365))), "in the past");
    assert_eq!(at("2027-10-02"), Err(("publish_too_late", "publish_at")));
    assert_eq!(at("soon"), Err(("invalid", "publish_at")));
}

#[test]
fn picture_is_ignored_with_film() {
    let picture = |rest: &str| {
        let line = format!(r#"{{"id":"a","title":"A walk","duration":600,"picture_file":"a.jpg"{rest}}}"#);
        let checked = check(&line).unwrap();
        assert_eq!(checked.picture.is_some(), checked.row.picture.is_some());
        checked.picture
    };
    assert_eq!(picture(""), Some(From::File("picture_file", "a.jpg".to_owned())));
    assert_eq!(picture(r#","file":"a.mp4""#), None);
}

#[test]
fn video_is_cleared_when_all_models_consented() {
    let with = |rest: &str| {
        check(&format!(r#"{{"id":"a","title":"A walk","duration":600,{rest}}}"#)).map(|checked| checked.row.is_cleared)
    };
    let consent = r#""consents":[{"model":"Ana","signed_on":"2024-01-01","document":"passport","reference":"A 1"}]"#;
    assert_eq!(with(&format!(r#""models":["Ana"],{consent}"#)), Ok(true));
    assert_eq!(with(&format!(r#""models":["Ana","Somebody"],{consent}"#)), Ok(false));
    assert_eq!(with(r#""nobody":true"#), Ok(true));
    assert_eq!(with(r#""nobody":false"#), Ok(false));
}

#[test]
fn refusal_names_code_and_field() {
    let refused = |rest: &str| {
        let line = format!(r#"{{"id":"a","title":"A walk","duration":600{rest}}}"#);
        check(&line).map(|_| ()).map_err(|refusal| (refusal.code, refusal.field))
    };
    let consent = |signed: &str| {
        format!(
            r#","models":["Ana"],"consents":[{{"model":"Ana","signed_on":"{signed}","document":"passport","reference":"A"}}]"#
        )
    };
    for (rest, expected) in [
        (r#","lang":"xx""#, ("invalid", "lang")),
        (r#","description":"a forbidden word""#, ("prohibited_terms", "description")),
        (r#","chapters":"0:00 A\nB""#, ("chapter_unreadable", "chapters")),
        (r#","chapters":"0:00 A\n10:00 B""#, ("chapter_late", "chapters")),
        (r#","chapters":"0:00 A title of 21 letters""#, ("chapter_title_length", "chapters")),
        (r#","chapters":"0:00 A forbidden word""#, ("prohibited_terms", "chapters")),
        (r#","date":"2027-01-01""#, ("invalid", "date")),
        (r#","views":-1"#, ("invalid", "views")),
        (r#","likes":3000000000"#, ("invalid", "likes")),
        (r#","embed":{"site":"others","id":"1"}"#, ("unknown_site", "embed")),
        (r#","embed":{"site":"videos","id":"a/b"}"#, ("invalid", "embed")),
        (r#","embed":{"site":"videos","id":"1"},"file":"a.mp4""#, ("too_many", "embed, file, address")),
        (
            r#","picture_file":"a.jpg","picture_address":"https://media.example/a.jpg""#,
            ("too_many", "picture_file, picture_address"),
        ),
        (r#","translations":{"xx":{"title":"A"}}"#, ("invalid", "translations")),
        (&consent("2008-02-27"), ("not_adult", "consents")),
        (&consent("2027-01-01"), ("invalid", "consents")),
    ] {
        assert_eq!(refused(rest), Err(expected), "{rest}");
    }
    assert_eq!(refused(&consent("2008-02-28")), Ok(()));
    for (line, expected) in [
        (r#"{"title":"A walk","duration":600}"#, ("required", "id")),
        (r#"{"id":"a","duration":600}"#, ("required", "title")),
        (r#"{"id":"a","title":"A walk"}"#, ("required", "duration")),
        (r#"{"id":"a","title":"A walk","duration":0}"#, ("invalid", "duration")),
    ] {
        assert_eq!(check(line).map(|_| ()).map_err(|refusal| (refusal.code, refusal.field)), Err(expected), "{line}");
    }
}

#[test]
fn adult_since_is_the_eighteenth_birthday() {
    assert_eq!(adult_since(date!(1990 - 05 - 17)), date!(2008 - 05 - 17));
    assert_eq!(adult_since(date!(2000 - 02 - 29)), date!(2018 - 03 - 01));
}
