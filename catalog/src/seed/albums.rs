//! Albums and their photos.

use lantern_config::Lang;

use super::{DAY, World, community, dice::Dice, load::EarlyEnd, models::GENDERS, tables::Tables, words::slug};

/// Writes `options.albums` albums.
pub(super) fn write(world: &World<'_>, tables: &mut Tables) -> Result<(), EarlyEnd> {
    let mut dice = Dice::new(world.options.seed, 5);
    let members = world.options.members.max(1) as usize;
    for id in 1..=i64::from(world.options.albums) {
        let theme = world.words.theme(&mut dice);
        let lang = *dice.pick(Lang::ALL);
        let gender = dice.weighted(&GENDERS.map(|(_, share)| share));
        let posted = world.now - i64::from(dice.between(0, 900)) * DAY - i64::from(dice.between(60, 80_000));
        let row = &mut tables.albums;
        row.int(id).text(&slug(&world.words.title(theme, Lang::En))).text(&world.words.title(theme, lang));
        row.text(lang.as_str()).text(dice.pick(&world.words.descriptions)[lang as usize]).text(GENDERS[gender].0);
        row.flag(dice.chance(0.03)).int(dice.skewed(members, 1.8) as i64 + 1).time(posted).time(posted).end()?;
        for position in 1..=dice.between(4, 14) {
            let row = &mut tables.photos;
            let photo = row.rows + 1;
            row.int(photo).int(id).int(position).text(&format!("demo/pictures/{:02}", dice.below(48)));
            row.int(1280).int(1280).end()?;
        }
        let categories = (world.options.categories as usize).min(world.words.categories.len());
        for category in dice.different(2, categories, 1.5) {
            tables.album_categories.int(id).int(category as i64 + 1).end()?;
        }
        let pool = &world.cast.by_gender[gender];
        for at in dice.different(1, pool.len(), 1.7) {
            tables.album_models.int(id).int(pool[at] as i64 + 1).end()?;
        }
        let (about, most) = (("album", id), dice.below(30));
        let [likes, dislikes] = community::votes(world, &mut dice, tables, about, posted, most)?;
        // Some albums have more than one page of comments.
        let comments = dice.below(14);
        community::comments(world, &mut dice, tables, about, (lang, posted), comments)?;
        let row = &mut tables.album_stats;
        row.int(id).int(dice.popularity(40.0, 200_000.0) as i64).int(likes).int(dislikes).int(comments as i64).end()?;
    }
    Ok(())
}
