//! Determines the root that all forms of a word, including verb forms, share: `танцует`, `танцы` and `танец` share a root, as do `nevando`
//! and `nieve`.
//!
//! A root is shorter than a stem ([`super::stem`]) and not necessarily a prefix of the word, so it is not indexed. It serves to compare
//! query words that occur in no title with words that do.

use std::sync::LazyLock;

use lantern_config::Lang;
use rust_stemmers::{Algorithm, Stemmer};

use super::{
    endings::{DUTCH_ROOTS, GERMAN_ROOTS, POLISH_ROOTS, RUSSIAN_VOWELS, Rule},
    fold,
    stem::{apply, stem, undoubled},
};

/// Minimum length of a root in letters. Unrelated words share shorter roots.
const SHORTEST: usize = 3;
/// Suffixes that verbs in -евать and -овать retain in some forms.
const RUSSIAN_VERBS: &[Rule] = &[("ева", "", 3), ("ова", "", 3)];
/// Consonants that change before other endings: tańczy, taniec; w Osace, Osaka.
const POLISH_CONSONANTS: &[Rule] = &[("cz", "c", 2), ("k", "c", 3)];
/// Endings of the dative and locative, before which consonants change: w Afryce, w Pradze.
const POLISH_LOCATIVES: &[Rule] = &[("ce", "ka", 3), ("dze", "ga", 3)];

/// Returns the Snowball stemmer (Porter 2001) for a language if it handles that language's verbs. German, Dutch and Polish have separate
/// rules.
fn stemmer(lang: Lang) -> Option<&'static Stemmer> {
    macro_rules! of {
        ($algorithm:ident) => {{
            static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::$algorithm));
            Some(&*STEMMER)
        }};
    }
    match lang {
        Lang::En => of!(English),
        Lang::Ru => of!(Russian),
        Lang::Fr => of!(French),
        Lang::Es => of!(Spanish),
        Lang::It => of!(Italian),
        Lang::Pt => of!(Portuguese),
        Lang::De | Lang::Nl | Lang::Pl | Lang::Ja => None,
    }
}

/// Returns the folded root of a word, or `None` if the root has fewer than three letters or the language has no endings.
#[must_use]
pub fn root(word: &str, lang: Lang) -> Option<String> {
    let word = word.to_lowercase();
    if word.chars().any(|c| !c.is_alphabetic() && !fold::is_mark(c)) {
        return None;
    }
    let folded = fold(&word);
    let snowball = || stemmer(lang).map(|stemmer| fold(&stemmer.stem(&word)));
    let root = match lang {
        Lang::Ja => return None,
        Lang::De => german(&fold::without_digraphs(&folded)),
        Lang::Nl => apply(strip_participle_prefix(&folded), DUTCH_ROOTS),
        Lang::Pl => polish(&folded),
        // Snowball stems `snowy` to `snowi`.
        Lang::En => undoubled(snowball()?.trim_end_matches('i').to_owned()),
        Lang::Ru => apply(&apply(&snowball()?, RUSSIAN_VERBS), RUSSIAN_VOWELS),
        // Stressed vowels become diphthongs: nieva, nevar; llueve, llover.
        Lang::Es => snowball()?.replace("ie", "e").replace("ue", "o"),
        Lang::Fr | Lang::It | Lang::Pt => snowball()?,
    };
    (root.chars().count() >= SHORTEST).then_some(root)
}

fn german(folded: &str) -> String {
    apply(strip_participle_prefix(folded), GERMAN_ROOTS)
}

fn polish(folded: &str) -> String {
    let stem = stem(&apply(folded, POLISH_LOCATIVES), Lang::Pl);
    apply(&apply(&stem, POLISH_ROOTS), POLISH_CONSONANTS)
}

/// Strips the participle prefix: `gewandert` is a form of `wandern`.
fn strip_participle_prefix(word: &str) -> &str {
    word.strip_prefix("ge").filter(|rest| rest.len() > 4 && rest.ends_with(['t', 'd', 'n'])).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_and_their_nouns_share_a_root() {
        for (lang, forms) in [
            (Lang::En, &["hiking", "hike", "hikes", "hiked"][..]),
            (Lang::En, &["dance", "dancing", "danced"]),
            (Lang::En, &["snow", "snowy", "snowing"]),
            (Lang::En, &["swim", "swimming"]),
            (Lang::De, &["tanzen", "tanzt", "Tanz", "getanzt"]),
            (Lang::De, &["wandern", "wandert", "gewandert", "Wanderung"]),
            (Lang::De, &["schneit", "schneien"]),
            (Lang::Nl, &["dansen", "danst", "dans"]),
            (Lang::Nl, &["wandelen", "wandelt", "gewandeld", "wandeling"]),
            (Lang::Nl, &["sneeuw", "sneeuwt", "sneeuwen"]),
            (Lang::Es, &["nevando", "nevar", "nieve", "nieva"]),
            (Lang::Es, &["bailando", "bailar", "baile", "bailan"]),
            (Lang::Fr, &["danse", "danser", "dansant"]),
            (Lang::It, &["camminare", "cammina", "camminata"]),
            (Lang::Pt, &["caminhada", "caminhando", "caminhar"]),
            (Lang::Ru, &["танцует", "танцевать", "танцевала", "танцы", "танец"]),
            (Lang::Ru, &["гуляет", "гулять", "гуляли"]),
            (Lang::Pl, &["tańczy", "tańczyć", "tańczą", "taniec", "tańca"]),
            (Lang::Pl, &["gotuje", "gotować", "gotowanie", "gotują"]),
            (Lang::Pl, &["Osaka", "Osace", "Osakę", "Osaki"]),
            (Lang::Pl, &["Afryka", "Afryce"]),
            (Lang::Pl, &["Praga", "Pradze"]),
            (Lang::Pl, &["praca", "prace"]),
            (Lang::Pl, &["spaceruje", "spacerować", "spacer", "spacery"]),
        ] {
            let roots: Vec<_> = forms.iter().map(|form| root(form, lang)).collect();
            assert!(roots[0].is_some() && roots.iter().all(|root| *root == roots[0]), "{lang}: {roots:?}");
        }
    }

    #[test]
    fn unrelated_words_have_different_roots_or_none() {
        for (lang, a, b) in [
            (Lang::En, "hike", "hide"),
            (Lang::De, "Garten", "Gartner"),
            (Lang::Ru, "дождь", "дорога"),
            (Lang::Es, "nieve", "nave"),
        ] {
            assert_ne!(root(a, lang), root(b, lang), "{a} {b}");
        }
        for (word, lang) in [("go", Lang::En), ("4k", Lang::En), ("雪", Lang::Ja), ("", Lang::De)] {
            assert_eq!(root(word, lang), None, "{word}");
        }
    }
}
