//! Facets in the visitor's language: counts and facet search in each of the ten languages.

use std::collections::BTreeMap;

use lantern_config::{Lang, labels};
use serde_json::Value;

use super::{app, corpus::Corpus, queries::escaped};
use crate::support::{App, listing};

/// Value, label and total of each facet value.
type Facets = Vec<(String, String, i64)>;

fn triples(facets: &Value, [value, label, total]: [&str; 3]) -> Facets {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let facets = facets.as_array().unwrap().iter();
    let mut facets: Facets = facets.map(|f| (text(&f[value]), text(&f[label]), f[total].as_i64().unwrap())).collect();
    facets.sort();
    facets
}

async fn search(app: &App, facet: &str, text: &str, lang: Lang) -> Facets {
    let answer = app.json(&format!("/api/facets.php?facet={facet}&q={}&lang={lang}", escaped(text))).await;
    triples(&answer["facets"], ["value", "label", "total"])
}

/// Returns the categories with their titles in `lang` and their totals in the catalog.
async fn expected(app: &App, corpus: &Corpus, lang: Lang) -> Facets {
    let mut all = Facets::new();
    for (dir, titles) in &corpus.names.categories {
        let sql = format!(
            "select count(*) from video_categories l join categories c on c.id = l.category_id where c.dir = '{dir}'"
        );
        all.push((dir.clone(), titles[lang.as_str()].clone(), app.numbers(&sql).await[0]));
    }
    all
}

#[tokio::test]
async fn categories_are_counted_and_searched_in_every_language() {
    let (app, corpus) = app().await;
    for lang in Lang::ALL {
        let all = expected(&app, &corpus, *lang).await;
        assert_eq!(search(&app, "categories", "", *lang).await, all, "{lang}");
        let page = app.json(&format!("{}?lang={lang}", listing("most-popular", 10, "all..1.all.all.all"))).await;
        assert_eq!(triples(&page["categories"], ["dir", "title", "total_videos"]), all, "{lang}");
        for one in &all {
            let found = search(&app, "categories", &one.1, *lang).await;
            assert!(found.contains(one), "{lang} {}: {found:?}", one.1);
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn facet_search_matches_prefixes_with_and_without_accents() {
    let (app, _) = app().await;
    let typed = [
        (Lang::En, "street f", "street-food"),
        (Lang::En, "HOT", "hot-spring"),
        (Lang::Ru, "пля", "beach"),
        (Lang::Ru, "ГОРЯЧИЕ", "hot-spring"),
        (Lang::De, "strä", "beach"),
        (Lang::De, "gart", "garden"),
        (Lang::De, "strassen", "street-food"),
        (Lang::Fr, "théâ", "theatre"),
        (Lang::Fr, "thea", "theatre"),
        (Lang::Es, "montan", "mountain"),
        (Lang::Es, "música", "music"),
        (Lang::Pl, "plaze", "beach"),
        (Lang::Pl, "gorace", "hot-spring"),
        (Lang::Pl, "zrodla", "hot-spring"),
        (Lang::Ru, "ИСТОЧНИК", "hot-spring"),
        (Lang::It, "citta", "city"),
        (Lang::It, "spiag", "beach"),
        (Lang::Pt, "danca", "dance"),
        (Lang::Pt, "montanhas", "mountain"),
        (Lang::Ja, "ファ", "fashion"),
        (Lang::Ja, "温", "hot-spring"),
        (Lang::Nl, "warmwater", "hot-spring"),
        (Lang::Nl, "STRANDEN", "beach"),
        (Lang::En, "fashoin", "fashion"),
        (Lang::De, "Gaerten", "garden"),
    ];
    let mut missed = Vec::new();
    for (lang, text, dir) in typed {
        let found = search(&app, "categories", text, lang).await;
        if !found.iter().any(|(value, ..)| value == dir) {
            missed.push(format!("{lang} {text}: {found:?}"));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
    app.finish().await;
}

#[tokio::test]
async fn model_facets_are_labelled_in_every_language() {
    let (app, _) = app().await;
    app.change("update models set race = 'asian', hair_color = 'black', country = 'JP' where dir in ('yuki-mori', 'kenji-ito')").await;
    for lang in Lang::ALL {
        for (facet, code) in [("race", "asian"), ("hair_color", "black"), ("country", "JP")] {
            let label = labels::label(facet, code, *lang);
            let found = search(&app, facet, label, *lang).await;
            assert_eq!(found, [(code.to_owned(), label.to_owned(), 2)], "{lang} {facet}");
        }
    }
    let expected: BTreeMap<String, i64> = BTreeMap::from([("asian".to_owned(), 2)]);
    let answer = app.json("/api/json/models/86400/str/filt/alphabet/60/1.json?lang=ja").await;
    let race = triples(&answer["facets"]["race"], ["value", "label", "total"]);
    assert_eq!(race.into_iter().map(|(value, _, total)| (value, total)).collect::<BTreeMap<_, _>>(), expected);
    app.finish().await;
}
