use lantern_config::{Config, Lang, Safety};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use super::TermList;

fn list(terms: &[&str]) -> TermList {
    TermList::new(&terms.iter().map(|term| (*term).to_owned()).collect::<Vec<_>>())
}

/// Returns innocent words in ten languages.
fn innocent() -> Vec<&'static str> {
    let lines = include_str!("innocent.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| line.split(' ').skip(1)).collect()
}

#[test]
fn terms_are_found_with_any_separators() {
    let list = list(&["Bad word", "禁止", "Épée", "!"]);
    for text in [
        "a BAD  word here",
        "bad-word",
        "これは禁止です",
        "禁 止",
        "epee",
        "badword",
        "bad words",
        "b.a.d. word",
        "épées",
    ] {
        assert!(list.found_in(text), "{text}");
    }
    for text in ["word bad", "badly worded", "abad word", "禁煙。止まれ", "これは禁煙です", ""] {
        assert!(!list.found_in(text), "{text}");
    }
    assert!(!TermList::default().found_in("anything") && !TermList::default().found_in_name("anything"));
}

#[test]
fn disguised_terms_are_found() {
    let list = list(&["forbidden"]);
    for text in [
        "f\u{43e}rbidden",
        "f0rbidden",
        "f0rb1dd3n",
        "f o r b i d d e n",
        "f.o.r.b.i.d.d.e.n",
        "for-bidden",
        "for bidden",
        "for_bid/den",
        "forbidden2",
        "18forbidden18",
        "forbiddens",
        "forbidden's",
        "myforbiddenvideo",
        "forbiddenvideo",
        "ｆｏｒｂｉｄｄｅｎ",
        "ꜰᴏʀʙɪᴅᴅᴇɴ",
        "𝖋𝖔𝖗𝖇𝖎𝖉𝖉𝖊𝖓",
        "🇫🇴🇷🇧🇮🇩🇩🇪🇳",
        "for\u{1D173}bidden",
        "for\u{1BCA0}bidden",
        "for\u{200B}bidden",
        "for\u{AD}bid\u{200D}den",
        "for\u{E0041}bidden",
        "myfor\u{1D173}bidden\u{2060}video",
        "forb!dden",
        "forb|dden!",
        "fořbįddęň",
        "foooorbiddennnn",
    ] {
        assert!(list.found_in(&format!("some {text} here")), "{text}");
        assert!(list.found_in(text), "{text}");
    }
    for text in ["forbid", "bidden", "for the bidden", "forbear bidden"] {
        assert!(!list.found_in(text), "{text}");
    }
}

#[test]
fn short_terms_match_whole_words_only() {
    let list = list(&["cat", "under age"]);
    for text in [
        "a cat.",
        "cats!",
        "c@t",
        "ca7",
        "(c)(a)(t)",
        "cat5",
        "under-age",
        "underage",
        "UNDER\u{2003}AGE",
        "under\nage",
    ] {
        assert!(list.found_in(text), "{text}");
    }
    for text in [
        "education",
        "catalogue",
        "scat",
        "the thunder agenda",
        "thunderagenda",
        "underaged care",
        "age under",
        "4 c 5 a 6 t",
    ] {
        let expected = text == "underaged care";
        assert_eq!(list.found_in(text), expected, "{text}");
    }
}

#[test]
fn terms_are_found_anywhere_in_names() {
    let list = list(&["forbidden", "child"]);
    for name in
        ["xforbiddenx", "for-bidden", "x_f0r_b1dden", "for2bidden", "xXforb1ddenXx", "my_child", "xchildx", "ch1ld_99"]
    {
        assert!(list.found_in_name(name), "{name}");
    }
    for name in ["Rothschild", "schildkroete", "chilled", "forbear", "bidden_for", "Thunder_Agent", "mika_1"] {
        assert!(!list.found_in_name(name), "{name}");
    }
}

#[test]
fn inflected_forms_are_found_in_each_language() {
    let of = |lang, term: &str| {
        let safety = Config::default().safety;
        let terms = [(lang, vec![term.to_owned()])].into();
        TermList::of(&Safety { prohibited_terms: Vec::new(), prohibited_terms_by_language: terms, ..safety })
    };
    for (lang, term, text) in [
        (Lang::De, "Lampe", "viele Lampen"),
        (Lang::Fr, "lampe", "des lampes"),
        (Lang::Es, "lápiz", "los lápices"),
        (Lang::Pl, "lampa", "dwie lampy, trzech lamp, o lampach"),
        (Lang::It, "lampo", "i lampi"),
        (Lang::Pt, "jovem", "os jovens"),
        (Lang::Nl, "lamp", "twee lampen"),
        (Lang::Ru, "лампа", "две лампы"),
        (Lang::En, "lady", "two ladies"),
    ] {
        assert!(of(lang, term).found_in(text), "{lang} {text}");
    }
    assert!(!of(Lang::En, "Lampe").found_in("viele Lampem"));
}

#[test]
fn innocent_words_of_ten_languages_pass() {
    let (shipped, short) =
        (TermList::of(&Config::default().safety), list(&["cat", "hen", "ant", "owl", "rat", "forbidden"]));
    let words = innocent();
    assert!(words.len() >= 2000, "{}", words.len());
    // These compounds are about the term they contain.
    let compounds = ["Childhood", "Childcare"];
    for word in &words {
        assert!(!shipped.found_in(word), "{word}");
        assert!(!short.found_in(word), "{word}");
        assert!(compounds.contains(word) || !shipped.found_in_name(word), "{word} as a name");
    }
    let mut random = ChaCha8Rng::seed_from_u64(39);
    for _ in 0..5000 {
        let text: Vec<&str> = (0..random.random_range(2..12)).map(|_| *words.choose(&mut random).unwrap()).collect();
        let text = text.join(["-", " ", ", ", "/", "!"].choose(&mut random).unwrap());
        assert!(!shipped.found_in(&text), "{text}");
    }
}

/// Disguises a letter in a random way.
fn disguised(letter: char, random: &mut ChaCha8Rng) -> String {
    let place = u32::from(letter) - u32::from('a');
    let from = |first: u32| char::from_u32(first + place).unwrap();
    let looks = match letter {
        'o' => "0оοᴏօ",
        'i' => "1іɪⅰ",
        'e' => "3еᴇε",
        'a' => "4аᴀα",
        'n' => "ɴпη",
        'd' => "ᴅⅾԁ",
        'r' => "ʀяг",
        'b' => "8ʙвЬ",
        'f' => "ꜰẝ",
        _ => "",
    };
    let looks: Vec<char> = looks.chars().collect();
    match random.random_range(0..9) {
        0 => letter.to_ascii_uppercase().to_string(),
        1 => from(0x1D400).to_string(),
        2 => from(0xFF41).to_string(),
        3 => from(0x24D0).to_string(),
        4 => from(0x1F170).to_string(),
        5 => format!("{letter}{}", ['\u{301}', '\u{336}', '\u{20E3}'].choose(random).unwrap()),
        6 => format!(
            "{letter}{}",
            ['\u{200B}', '\u{1D173}', '\u{1BCA0}', '\u{FE0F}', '\u{E0061}'].choose(random).unwrap()
        ),
        7 => looks.choose(random).map_or(letter.to_string(), char::to_string),
        _ => letter.to_string(),
    }
}

#[test]
fn terms_are_found_in_any_disguise_between_any_words() {
    let (terms, words) = (["forbidden", "bad robin"], innocent());
    let list = list(&terms);
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..5000 {
        let term = *terms.choose(&mut random).unwrap();
        let between = ["", "", "-", " ", ".", "_", "/", " * "].choose(&mut random).unwrap();
        let letters = term.chars().filter(|c| *c != ' ').map(|letter| disguised(letter, &mut random));
        let hidden = letters.collect::<Vec<_>>().join(between);
        let mut word = || *words.choose(&mut random).unwrap();
        let text = format!("{}, {hidden} - {}", word(), word());
        assert!(list.found_in(&text), "{text}");
        assert!(list.found_in(&hidden), "{hidden}");
        assert!(list.found_in_name(&format!("x{hidden}x")), "{hidden}");
    }
}
