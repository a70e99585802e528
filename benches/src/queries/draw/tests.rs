use super::*;

const TITLES: [(Lang, &str); 8] = [
    (Lang::En, "Castle in the mist"),
    (Lang::Nl, "Kasteel in de mist"),
    (Lang::En, "Night market in Lisbon with fresh bread"),
    (Lang::En, "Markets of Portugal"),
    (Lang::En, "Old markets"),
    (Lang::Fr, "L'eau du marché de Lisbonne, l'été"),
    (Lang::De, "Nachtmarkt in Lissabon"),
    (Lang::Ja, "京都の夜市とカフェの温泉"),
];

fn pool() -> Pool {
    let mut pool = Pool::new(1);
    pool.add(&TITLES[..2]);
    TITLES[2..].iter().for_each(|title| pool.add(&[*title]));
    pool
}

fn drawn(seed: u64) -> Vec<DrawnQuery> {
    draw(&pool(), 40, seed)
}

/// The queries of one class with the first seeds.
fn of(class: Class, lang: Lang) -> Vec<DrawnQuery> {
    let pool = pool();
    let titles = pool.titles(lang);
    let forms = Forms::new(titles);
    (0..60).flat_map(|seed| of_class(class, lang, titles, &forms, seed).collect::<Vec<_>>()).collect()
}

fn title_of(query: &DrawnQuery) -> bool {
    TITLES.iter().any(|(lang, title)| {
        *lang == query.lang && query.sought.iter().all(|word| words(title).any(|other| fold(other) == *word))
    })
}

#[test]
fn draw_depends_only_on_seed() {
    let texts = |seed| drawn(seed).into_iter().map(|query| query.text).collect::<Vec<_>>();
    assert_eq!(texts(1), texts(1));
    assert_ne!(texts(1), texts(2));
}

#[test]
fn words_are_content_words_of_one_title() {
    let same = of(Class::Same, Lang::De);
    assert!(same.iter().all(title_of));
    let texts: BTreeSet<&str> = same.iter().map(|query| query.text.as_str()).collect();
    assert_eq!(texts, ["Lissabon", "Nachtmarkt", "Nachtmarkt Lissabon"].into());
    let english = of(Class::Same, Lang::En);
    let is_scattered = |text: &str| text.starts_with("Night ") && !"Night market Lisbon".starts_with(text);
    assert!(english.iter().any(|query| is_scattered(&query.text)));
    assert!(english.iter().any(|query| query.text == "Night market"));
}

#[test]
fn visitors_with_another_language_have_a_title_in_it() {
    let queries: Vec<DrawnQuery> = Lang::ALL.iter().flat_map(|lang| of(Class::Other, *lang)).collect();
    let pairs: BTreeSet<(Lang, Lang)> = queries.iter().map(|query| (query.lang, query.visitor)).collect();
    assert_eq!(pairs, [(Lang::En, Lang::Nl), (Lang::Nl, Lang::En)].into());
}

#[test]
fn left_out_word_is_not_sought() {
    let english: BTreeSet<String> = of(Class::Dropped, Lang::En).into_iter().map(|query| query.text).collect();
    assert!(english.contains("Night in Lisbon with fresh bread") && english.len() == 5, "{english:?}");
    assert!(english.contains("Night market in Lisbon with fresh"), "{english:?}");
    let end = without("Walk in the mist", "mist", Lang::En);
    assert_eq!(end.as_deref(), Some("Walk"));
    let french: BTreeSet<String> = of(Class::Dropped, Lang::Fr).into_iter().map(|query| query.text).collect();
    assert!(french.contains("L'eau du marché de l'été"), "{french:?}");
    let japanese: BTreeSet<String> = of(Class::Dropped, Lang::Ja).into_iter().map(|query| query.text).collect();
    assert!(japanese.contains("京都 カフェ 温泉"), "{japanese:?}");
    assert!(of(Class::Dropped, Lang::En).iter().all(|query| query.sought.len() == 4 && title_of(query)));
}

#[test]
fn inflected_word_is_sought_in_the_form_of_the_title() {
    let queries = of(Class::Inflected, Lang::En);
    assert!(!queries.is_empty() && of(Class::Inflected, Lang::De).is_empty());
    for query in queries {
        assert!(query.text.contains("markets") && query.sought.contains(&"market".to_owned()), "{query:?}");
    }
}

#[test]
fn misspelled_words_are_sought_as_spelled() {
    let queries = of(Class::Misspelled, Lang::En);
    assert!(queries.len() > 30);
    for query in &queries {
        let typed: Vec<String> = query.text.split(' ').map(fold).collect();
        let wrong = typed.iter().zip(&query.sought).filter(|(typed, sought)| typed != sought).count();
        assert!(wrong == 1 && title_of(query), "{query:?}");
    }
    let accents = of(Class::Misspelled, Lang::Fr);
    assert!(accents.iter().any(|query| query.text.contains("marche") && query.sought.contains(&"marche".to_owned())));
}

#[test]
fn function_words_stand_between_words() {
    for (lang, space) in [(Lang::En, " "), (Lang::Ja, "")] {
        for query in of(Class::Function, lang) {
            let between = query.sought.windows(2).all(|pair| {
                function_words(lang)
                    .iter()
                    .any(|word| fold(&query.text).contains(&[&pair[0], *word, &pair[1]].join(space)))
            });
            assert!(between && query.sought.len() > 1, "{query:?}");
        }
    }
    assert!(!of(Class::Function, Lang::Ja).is_empty());
}

#[test]
fn shuffled_words_have_another_order() {
    let queries = of(Class::Shuffled, Lang::En);
    assert!(!queries.is_empty());
    for query in queries {
        let typed: Vec<String> = query.text.split(' ').map(fold).collect();
        assert_ne!(typed, query.sought);
        assert_eq!(typed.iter().collect::<BTreeSet<_>>(), query.sought.iter().collect());
    }
}

#[test]
fn queries_are_different() {
    let mut pool = pool();
    TITLES.iter().for_each(|title| pool.add(&[*title]));
    let queries = draw(&pool, 40, 1);
    let texts: BTreeSet<_> =
        queries.iter().map(|query| (query.class, query.lang, query.visitor, &query.text)).collect();
    assert_eq!(texts.len(), queries.len());
}

#[test]
fn number_of_queries_is_limited() {
    let queries = draw(&pool(), 2, 1);
    let counted = |class| queries.iter().filter(|query| query.class == class && query.lang == Lang::En).count();
    assert_eq!((counted(Class::Same), counted(Class::Inflected)), (2, 1));
}

#[test]
fn queries_fit_search_box() {
    let mut pool = Pool::new(1);
    let title = ["a", "b", "c"].map(|letter| letter.repeat(30)).join(" ");
    pool.add(&[(Lang::En, &title)]);
    for class in [Class::Same, Class::Shuffled] {
        let forms = Forms::default();
        let queries = (0..60).flat_map(|seed| of_class(class, Lang::En, pool.titles(Lang::En), &forms, seed));
        assert!(queries.map(|query| query.sought.len()).max() == Some(2));
    }
    assert!(without("a b c d e f g h i j k", "c", Lang::En).is_none());
}
