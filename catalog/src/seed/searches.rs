//! Searches in the last month, as daily totals.

use std::collections::BTreeMap;

use lantern_config::Lang;

use super::{DAY, World, dice::Dice, load::EarlyEnd, tables::Tables};

/// Number of days. The next constant is the number of searches per day, each by a different visitor. With that many
/// searches, several hundred queries have several visitors a day.
const DAYS: i64 = 30;
const PER_DAY: usize = 2000;

/// Writes the searches. Writes none if there are no videos to find.
pub(super) fn write(world: &World<'_>, tables: &mut Tables) -> Result<(), EarlyEnd> {
    if world.options.videos == 0 {
        return Ok(());
    }
    let mut dice = Dice::new(world.options.seed, 8);
    let wishes = popular_searches(world, &mut dice);
    for back in (0..DAYS).rev() {
        let noon = world.now - back * DAY;
        let mut sums: BTreeMap<(Lang, String), (i64, i64)> = BTreeMap::new();
        for _ in 0..PER_DAY {
            let (lang, query, hits) = &wishes[dice.skewed(wishes.len(), 2.2)];
            let sum = sums.entry((*lang, query.to_lowercase())).or_default();
            *sum = (sum.0 + 1, *hits);
        }
        for ((lang, query), (searches, hits)) in sums {
            tables.search_days.text(lang.as_str()).text(&query).date(noon).int(searches).int(hits).end()?;
        }
    }
    Ok(())
}

/// Returns popular searches for themes, categories and models, most frequent first.
fn popular_searches(world: &World<'_>, dice: &mut Dice) -> Vec<(Lang, String, i64)> {
    let videos = i64::from(world.options.videos);
    let mut wishes = Vec::new();
    for at in 0..400 {
        let lang = if at % 3 == 0 { Lang::En } else { *dice.pick(Lang::ALL) };
        let (query, share) = match at % 4 {
            0 | 1 => (world.words.query(world.words.theme(dice), lang).to_owned(), 20),
            2 => (dice.pick(&world.words.categories).1[lang as usize].to_owned(), 30),
            _ => match world.cast.performers.get(dice.skewed(world.cast.performers.len(), 1.7)) {
                Some(performer) => (performer.name().to_owned(), 150),
                None => continue,
            },
        };
        // Searches need at least two characters.
        if query.chars().count() >= 2 {
            wishes.push((lang, query, (videos / share).max(1)));
        }
    }
    wishes
}
