//! Models, categories and channels, which videos refer to.

use lantern_config::Lang;

use super::{
    DAY, SeedOptions, World,
    dice::Dice,
    load::EarlyEnd,
    tables::Tables,
    words::{Words, slug},
};

/// Shares of the genders str, she and gay in percent.
pub(super) const GENDERS: [(&str, u32); 3] = [("str", 78), ("she", 12), ("gay", 10)];

const CHANNELS: [&str; 12] = [
    "Lantern Street",
    "Blue Harbour",
    "Paper Moon",
    "Studio Kumo",
    "Night Tram",
    "Silk Road Pictures",
    "Hanabi Films",
    "Quiet Rooms",
    "Seventh Floor",
    "Maple Line",
    "Open Window",
    "Far East Light",
];

/// Banner picture of the only sponsor.
const BANNER: &str = "demo/pictures/12";

pub(super) struct SeedPerformer {
    name: String,
    aliases: Vec<String>,
    /// Names in languages whose script or order differs.
    names: [(Lang, String); 2],
    dir: String,
    country: &'static str,
    race: &'static str,
    gender: usize,
}

impl SeedPerformer {
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

/// All performers, and their indexes by gender.
pub(super) struct Cast {
    pub(super) performers: Vec<SeedPerformer>,
    pub(super) by_gender: [Vec<usize>; 3],
}

/// Generates the cast, with names in English, Russian and Japanese. About two thirds are Japanese, with aliases in kanji, in kana and with
/// the name order reversed.
pub(super) fn cast(options: &SeedOptions, words: &Words) -> Cast {
    let mut dice = Dice::new(options.seed, 2);
    let mut dirs = std::collections::HashSet::new();
    let mut cast = Cast { performers: Vec::new(), by_gender: [Vec::new(), Vec::new(), Vec::new()] };
    for at in 0..options.models as usize {
        let gender = dice.weighted(&GENDERS.map(|(_, share)| share));
        let mut one =
            if dice.chance(0.65) { japanese(&mut dice, words, gender) } else { other(&mut dice, words, gender) };
        let mut number = 2;
        while !dirs.insert(one.dir.clone()) {
            one.dir = format!("{}-{number}", slug(&one.name));
            number += 1;
        }
        cast.by_gender[gender].push(at);
        cast.performers.push(one);
    }
    cast
}

fn japanese(dice: &mut Dice, words: &Words, gender: usize) -> SeedPerformer {
    let family = dice.pick(&words.surnames).clone();
    let he = gender == 2 || gender == 0 && dice.chance(0.15);
    let given = dice.pick(if he { &words.given_he } else { &words.given_she }).clone();
    let name = format!("{} {}", given[0], family[0]);
    SeedPerformer {
        dir: slug(&name),
        aliases: vec![
            format!("{}{}", family[2], given[2]),
            format!("{}{}", family[1], given[1]),
            format!("{} {}", family[0], given[0]),
        ],
        names: [(Lang::Ru, format!("{} {}", family[3], given[3])), (Lang::Ja, format!("{}{}", family[2], given[2]))],
        name,
        country: "JP",
        race: "asian",
        gender,
    }
}

fn other(dice: &mut Dice, words: &Words, gender: usize) -> SeedPerformer {
    let he = gender == 2 || gender == 0 && dice.chance(0.15);
    let person = dice.pick(if he { &words.others_he } else { &words.others_she }).clone();
    SeedPerformer {
        name: person[0].to_owned(),
        aliases: vec![person[3].to_owned()],
        names: [(Lang::Ru, person[4].to_owned()), (Lang::Ja, person[5].to_owned())],
        dir: slug(person[0]),
        country: person[1],
        race: person[2],
        gender,
    }
}

/// Writes models, categories and channels. `community::write` writes the counters of models and channels later.
pub(super) fn write(world: &World<'_>, tables: &mut Tables) -> Result<(), EarlyEnd> {
    let mut dice = Dice::new(world.options.seed, 3);
    for (at, performer) in world.cast.performers.iter().enumerate() {
        model(world, &mut dice, tables, at + 1, performer)?;
        let names = performer.names.iter().map(|(lang, name)| (lang, name)).chain([(&Lang::En, &performer.name)]);
        for (lang, name) in names {
            tables.model_names.int(at as i64 + 1).text(lang.as_str()).text(name).end()?;
        }
    }
    let created = world.now - super::YEARS_BACK * DAY;
    let count = (world.options.categories as usize).min(world.words.categories.len());
    for (at, (dir, titles)) in world.words.categories.iter().take(count).enumerate() {
        let id = at as i64 + 1;
        tables.categories.int(id).text(dir).int(id).text(&format!("demo/{:02}", at % 12));
        tables.categories.int(at as i64 / 12 % 10).time(created).end()?;
        for (lang, title) in Lang::ALL.iter().zip(titles) {
            tables.category_titles.int(id).text(lang.as_str()).text(title).end()?;
        }
    }
    for at in 0..world.options.channels as usize {
        let round = at / CHANNELS.len();
        let base = CHANNELS[at % CHANNELS.len()];
        let title = if round == 0 { base.to_owned() } else { format!("{base} {}", round + 1) };
        let dir = slug(&title);
        tables.channels.int(at as i64 + 1).text(&dir).text(&title).text(&format!("https://{dir}.example/"));
        tables.channels.text(dice.word(&["JP", "KR", "TH", "US"])).text(&format!("demo/pictures/{:02}", at % 48));
        // One channel has a sponsor with a banner.
        tables.channels.maybe((at == 0).then_some(BANNER)).time(created).end()?;
    }
    Ok(())
}

fn model(
    world: &World<'_>,
    dice: &mut Dice,
    tables: &mut Tables,
    id: usize,
    who: &SeedPerformer,
) -> Result<(), EarlyEnd> {
    let created = world.now - i64::from(dice.between(1, super::YEARS_BACK as u32)) * DAY;
    let about = dice.pick(&world.words.about)[0];
    let row = &mut tables.models;
    row.int(id as i64).text(&who.dir).text(&who.name).text(&array(&who.aliases)).text(GENDERS[who.gender].0);
    // Recordings go back three years, so someone who is 25 today was 22 at the first one.
    row.date(world.now - i64::from(dice.between(25 * 366, 52 * 365)) * DAY);
    row.text(who.country).text(who.race);
    row.text(["black", "brown", "blonde", "red", "gray", "colored"][dice.weighted(&[50, 25, 12, 5, 3, 5])]);
    let tits = dice.word(&["small", "medium", "large", "very_large"]);
    row.maybe((who.gender != 2).then_some(tits));
    row.int(150 + dice.between(0, 38)).int(44 + dice.between(0, 42));
    row.text(if dice.chance(0.3) { "yes" } else { "no" }).text(if dice.chance(0.35) { "yes" } else { "no" });
    row.text(about).text(&format!("demo/pictures/{:02}", id % 48)).time(created);
    row.end()
}

/// Formats a Postgres text array literal.
fn array(items: &[String]) -> String {
    let quoted: Vec<String> =
        items.iter().map(|i| format!("\"{}\"", i.replace('\\', "\\\\").replace('"', "\\\""))).collect();
    format!("{{{}}}", quoted.join(","))
}
