//! Searches for the labels of badges.

use crate::support::App;

#[tokio::test]
async fn badges_are_searchable_in_every_language() {
    let app = App::start().await;
    let search = async |text: &str, lang: &str| {
        let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let path =
            format!("/api/videos2.php?params=86400/str/relevance/100/search..1.all.all.all&s={encoded}&lang={lang}");
        app.json(&path).await["total_count"].clone()
    };
    let matching = async |condition: &str| {
        app.numbers(&format!("select id from videos where visible and gender = 'str' and {condition} order by 1")).await
    };
    for (text, lang) in [
        ("uncensored", "en"),
        ("без цензуры", "ru"),
        ("unzensiert", "de"),
        ("sans censure", "fr"),
        ("sin censura", "es"),
        ("bez cenzury", "pl"),
        ("senza censura", "it"),
        ("sem censura", "pt"),
        ("無修正", "ja"),
        ("ongecensureerd", "nl"),
    ] {
        assert_eq!(search(text, lang).await, matching("is_uncensored").await.len(), "{text}");
    }
    for lang in ["en", "ja", "ru"] {
        assert_eq!(search("harbour hd", lang).await, matching("is_hd and title like 'Harbour%'").await.len(), "{lang}");
    }
    app.finish().await;
}
