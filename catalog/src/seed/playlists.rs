//! Playlists and their items.

use lantern_config::Lang;

use super::{DAY, World, community, dice::Dice, load::EarlyEnd, models::GENDERS, tables::Tables};

/// Writes `options.playlists` playlists. The demo member owns the first three.
pub(super) fn write(world: &World<'_>, tables: &mut Tables) -> Result<(), EarlyEnd> {
    let mut dice = Dice::new(world.options.seed, 6);
    let members = world.options.members.max(1) as usize;
    let videos = world.options.videos as usize;
    for id in 1..=i64::from(world.options.playlists) {
        let lang = *dice.pick(Lang::ALL);
        let owner = if id <= 3 { 1 } else { dice.below(members) as i64 + 1 };
        let created = world.now - i64::from(dice.between(1, 700)) * DAY;
        let title = dice.pick(&world.words.playlists)[lang as usize];
        let row = &mut tables.playlists;
        row.int(id).int(owner).text(&format!("{title} {id}")).text(dice.pick(&world.words.descriptions)[lang as usize]);
        row.text(if dice.chance(0.15) { "private" } else { "public" });
        row.text(GENDERS[dice.weighted(&GENDERS.map(|(_, share)| share))].0).time(created).end()?;
        let length = dice.between(3, 30) as usize;
        for (position, video) in dice.different(length, videos, 1.0).into_iter().enumerate() {
            tables.playlist_items.int(id).int(video as i64 + 1).int(position as i64 + 1).time(created).end()?;
        }
        let (about, most) = (("playlist", id), dice.below(20));
        let [likes, dislikes] = community::votes(world, &mut dice, tables, about, created, most)?;
        let comments = dice.below(4);
        community::comments(world, &mut dice, tables, about, (lang, created), comments)?;
        let row = &mut tables.playlist_stats;
        row.int(id).int(dice.popularity(20.0, 90_000.0) as i64).int(likes).int(dislikes).int(comments as i64).end()?;
    }
    Ok(())
}
