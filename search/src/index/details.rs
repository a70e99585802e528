//! What tells models with the same shown name apart in a list.

use std::collections::{HashMap, HashSet};

use lantern_config::{Lang, labels};

/// A model as a list names it.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    /// Shown name.
    pub title: &'a str,
    /// Name in URLs.
    pub dir: &'a str,
    /// ISO 3166-1 alpha-2.
    pub country: Option<&'a str>,
    /// Whole years. The birth date is not public.
    pub age: Option<i64>,
}

/// Returns the detail that follows each model's name in a list, or `None` if no other model in it has the name. It is the first of country,
/// country with age, and name in URLs that differs among all models with the name.
#[must_use]
pub fn details(models: &[Named<'_>], lang: Lang) -> Vec<Option<String>> {
    let mut by_title: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, model) in models.iter().enumerate() {
        by_title.entry(model.title.to_lowercase()).or_default().push(at);
    }
    let country = |model: &Named<'_>| model.country.map(|code| labels::label("country", code, lang).to_owned());
    let with_age = |model: &Named<'_>| {
        let parts: Vec<String> = country(model).into_iter().chain(model.age.map(|age| age.to_string())).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    };
    let mut details = vec![None; models.len()];
    for same in by_title.into_values().filter(|same| same.len() > 1) {
        let of = |detail: &dyn Fn(&Named<'_>) -> Option<String>| -> Option<Vec<String>> {
            let texts: Vec<String> = same.iter().map(|at| detail(&models[*at])).collect::<Option<_>>()?;
            let differ = texts.iter().collect::<HashSet<_>>().len() == texts.len();
            differ.then_some(texts)
        };
        let texts = of(&country).or_else(|| of(&with_age));
        let texts = texts.unwrap_or_else(|| same.iter().map(|at| models[*at].dir.to_owned()).collect());
        for (at, text) in same.iter().zip(texts) {
            details[*at] = Some(text);
        }
    }
    details
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told_apart(models: &[(&'static str, &'static str, Option<&'static str>, i64)]) -> Vec<Option<String>> {
        let named = |(title, dir, country, age): &(&'static str, &'static str, Option<&'static str>, i64)| Named {
            title,
            dir,
            country: *country,
            age: Some(*age),
        };
        details(&models.iter().map(named).collect::<Vec<_>>(), Lang::En)
    }

    #[test]
    fn first_difference_tells_same_names_apart() {
        let some = |texts: [&str; 2]| texts.map(|text| Some(text.to_owned())).to_vec();
        for (models, texts) in [
            ([("Yui", "yui", Some("JP"), 30), ("yui", "yui-2", Some("KR"), 30)], some(["Japan", "South Korea"])),
            ([("Yui", "yui", Some("JP"), 30), ("Yui", "yui-2", Some("JP"), 41)], some(["Japan, 30", "Japan, 41"])),
            ([("Yui", "yui", None, 30), ("Yui", "yui-2", Some("JP"), 30)], some(["30", "Japan, 30"])),
            ([("Yui", "yui", Some("JP"), 30), ("Yui", "yui-2", Some("JP"), 30)], some(["yui", "yui-2"])),
            ([("Yui", "yui", Some("JP"), 30), ("Ken", "ken", Some("JP"), 30)], vec![None, None]),
        ] {
            assert_eq!(told_apart(&models), texts, "{models:?}");
        }
    }
}
