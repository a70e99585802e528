//! Videos and the rows that depend on them: texts, links, consents, views, votes and comments.

use lantern_config::Lang;
use tokio::sync::watch;

use super::{
    DAY, World, YEARS_BACK, community,
    dice::Dice,
    load::EarlyEnd,
    members::COUNTRIES,
    models::GENDERS,
    tables::Tables,
    words::{Theme, slug},
};
use crate::status::UploadStatus;

/// Shares of the original languages in percent, in the order of [`Lang::ALL`]. A third is Japanese, about a quarter is
/// English, and the rest is divided among the others.
const LANGS: [u32; 10] = [26, 7, 7, 6, 6, 4, 4, 4, 34, 2];
/// Number of videos above which activity grows no further, so that large sites are generated quickly.
const BUSY: f64 = 60_000.0;

/// A video whose rows are being written.
struct SeedVideo {
    id: i64,
    theme: Theme,
    lang: Lang,
    gender: usize,
    posted: i64,
    viewed: f64,
}

/// Writes `options.videos` videos. Their ids are in the order of their post dates.
pub(super) fn write(world: &World<'_>, tables: &mut Tables, done: &watch::Sender<u64>) -> Result<(), EarlyEnd> {
    let mut dice = Dice::new(world.options.seed, 4);
    let count = i64::from(world.options.videos);
    // Activity per video, compared with a small site.
    let density = (BUSY / count.max(1) as f64).min(1.0);
    for id in 1..=count {
        let span = YEARS_BACK * DAY;
        let back = ((count - id) as f64 + dice.unit()) / count as f64;
        let video = SeedVideo {
            id,
            theme: world.words.theme(&mut dice),
            lang: Lang::ALL[dice.weighted(&LANGS)],
            gender: dice.weighted(&GENDERS.map(|(_, share)| share)),
            posted: world.now - (back * span as f64) as i64 - 60,
            viewed: dice.popularity(60.0, 4_000_000.0),
        };
        row(world, &mut dice, tables, &video)?;
        texts(world, &mut dice, tables, &video)?;
        links(world, &mut dice, tables, &video)?;
        clicks(world, &mut dice, tables, &video, density)?;
        if id % 1000 == 0 || id == count {
            done.send_replace(id.unsigned_abs());
        }
    }
    Ok(())
}

fn row(world: &World<'_>, dice: &mut Dice, tables: &mut Tables, video: &SeedVideo) -> Result<(), EarlyEnd> {
    let title = world.words.title(video.theme, video.lang);
    let dir = slug(&world.words.title(video.theme, Lang::En));
    let description = world.words.description(*dice.pick(&world.words.descriptions), video.id, video.lang);
    let row = &mut tables.videos;
    row.int(video.id).text(&dir).text(&title).text(video.lang.as_str());
    row.text(&description).text(GENDERS[video.gender].0);
    // The durations are log-normal around 12 minutes, and limited to between one and 75 minutes.
    row.int(((720.0 * (0.75 * dice.normal()).exp()) as i64).clamp(60, 4500));
    let statuses = [UploadStatus::Published, UploadStatus::Deleted, UploadStatus::InReview];
    row.int(i16::from(statuses[dice.weighted(&[965, 28, 7])])).flag(dice.chance(0.025));
    row.flag(dice.chance(0.6)).flag(dice.chance(0.25));
    let clip = video.id.unsigned_abs() as usize % 12;
    row.text(&format!("demo/{clip:02}")).int(dice.between(0, 9)).int(1);
    row.int(dice.skewed(world.options.members.max(1) as usize, 1.8) as i64 + 1);
    let channels = world.options.channels as usize;
    let channel = dice.below(channels) as i64 + 1;
    if channels > 0 && dice.chance(0.3) {
        row.int(channel)
    } else {
        row.null()
    };
    row.time(video.posted).time(video.posted);
    // Speech is mostly in the language of the title, sometimes in English, and unknown for a sixth.
    let spoken = [None, Some(Lang::En), Some(video.lang)][dice_count(video.id, 5).min(2)];
    row.maybe(spoken.map(Lang::as_str)).end()?;
    match world.words.captions(video.id, video.lang) {
        Some(cues) => {
            let row = &mut tables.captions;
            row.int(video.id).text(video.lang.as_str()).text("subtitles").text(&cues);
            row.time(video.posted).end()
        }
        None => Ok(()),
    }
}

/// Writes translations: an English one for half of the titles in other languages, and one or two more for a quarter of
/// all titles.
fn texts(world: &World<'_>, dice: &mut Dice, tables: &mut Tables, video: &SeedVideo) -> Result<(), EarlyEnd> {
    let mut langs = Vec::with_capacity(3);
    if video.lang != Lang::En && dice.chance(0.5) {
        langs.push(Lang::En);
    }
    if dice.chance(0.25) {
        for _ in 0..=dice.below(2) {
            let lang = *dice.pick(Lang::ALL);
            if lang != video.lang && !langs.contains(&lang) {
                langs.push(lang);
            }
        }
    }
    for lang in langs {
        let row = &mut tables.video_translations;
        row.int(video.id).text(lang.as_str()).text(&world.words.title(video.theme, lang));
        let phrase = *dice.pick(&world.words.descriptions);
        row.text(&world.words.description(phrase, video.id, lang)).end()?;
    }
    Ok(())
}

fn links(world: &World<'_>, dice: &mut Dice, tables: &mut Tables, video: &SeedVideo) -> Result<(), EarlyEnd> {
    let categories = (world.options.categories as usize).min(world.words.categories.len());
    for category in dice.different(1 + dice_count(video.id, 3), categories, 2.5) {
        tables.video_categories.int(video.id).int(category as i64 + 1).end()?;
    }
    let pool = &world.cast.by_gender[video.gender];
    let wanted = dice.weighted(&[25, 50, 20, 5]);
    for at in dice.different(wanted, pool.len(), 1.7) {
        let model = pool[at] as i64 + 1;
        tables.video_models.int(video.id).int(model).end()?;
        let signed = video.posted - i64::from(dice.between(3, 60)) * DAY;
        let kind = dice.word(&["passport", "national_id", "driving_licence", "residence_permit"]);
        let row = &mut tables.performer_consents;
        let id = row.rows + 1;
        row.int(id).int(model).int(video.id).date(signed).text(kind);
        row.text(&format!("DEMO-{id:08}")).text("records desk").time(signed + DAY).time(signed + DAY).end()?;
    }
    Ok(())
}

/// Returns a number from 0 to `most`, spread over the ids.
const fn dice_count(id: i64, most: i64) -> usize {
    (id.wrapping_mul(2_654_435_761) >> 7).rem_euclid(most + 1) as usize
}

fn clicks(
    world: &World<'_>,
    dice: &mut Dice,
    tables: &mut Tables,
    video: &SeedVideo,
    density: f64,
) -> Result<(), EarlyEnd> {
    let windows = view_days(world, dice, tables, video, density)?;
    let viewed = (video.viewed as i64).max(windows[2]);
    countries(dice, tables, video, viewed, density)?;
    let members = world.options.members.max(1) as usize;
    let liveliness = video.viewed.sqrt() * density;
    let about = ("video", video.id);
    let votes = (liveliness * 0.35 * dice.unit() + dice.unit() * density) as usize;
    let [likes, dislikes] = community::votes(world, dice, tables, about, video.posted, votes)?;
    let comments = ((liveliness * 0.12 * dice.unit() + 0.6 * dice.unit() * density) as usize).min(40);
    community::comments(world, dice, tables, about, (video.lang, video.posted), comments)?;
    let favourites = (liveliness * 0.15 * dice.unit() + 0.5 * dice.unit() * density) as usize;
    let mut favoured = 0;
    for member in dice.walk(favourites.min(members / 3), members) {
        tables.favourites.int(member as i64 + 1).int(video.id).time(after(world.now, dice, video.posted)).end()?;
        favoured += 1;
    }
    let row = &mut tables.video_stats;
    row.int(video.id).int(viewed);
    for sum in windows {
        row.int(sum);
    }
    row.int(likes).int(dislikes).int(comments as i64).int(favoured);
    row.end()
}

/// Returns a random instant between `since` and now.
pub(super) fn after(now: i64, dice: &mut Dice, since: i64) -> i64 {
    since + ((now - since) as f64 * dice.unit()) as i64
}

/// Writes the views in the last 30 days. Returns the totals for the last day, week and month. New videos are getting
/// most of their views now, and old ones a share that shrinks with age.
fn view_days(
    world: &World<'_>,
    dice: &mut Dice,
    tables: &mut Tables,
    video: &SeedVideo,
    density: f64,
) -> Result<[i64; 3], EarlyEnd> {
    let age = (world.now - video.posted) / DAY;
    let month = if age < 30 { video.viewed } else { video.viewed * 15.0 / age as f64 };
    let mut sums = [0_i64; 3];
    // In the long tail of a large site, videos had negligible views this month.
    if month < 30.0 || density < 1.0 && month < 300.0 && !dice.chance(density) {
        return Ok(sums);
    }
    let days = age.clamp(0, 29) + 1;
    for back in (0..days).rev() {
        let viewed = (month / days as f64 * (0.5 + dice.unit())) as i64;
        if viewed == 0 {
            continue;
        }
        tables.view_days.int(video.id).date(world.now - back * DAY).int(viewed).end()?;
        for (sum, window) in sums.iter_mut().zip([1, 7, 30]) {
            if back < window {
                *sum += viewed;
            }
        }
    }
    Ok(sums)
}

/// Writes views by country. The remaining views have no country.
fn countries(
    dice: &mut Dice,
    tables: &mut Tables,
    video: &SeedVideo,
    viewed: i64,
    density: f64,
) -> Result<(), EarlyEnd> {
    if density < 1.0 && video.viewed < 3000.0 && !dice.chance(density) {
        return Ok(());
    }
    let mut left = viewed * 9 / 10;
    for at in dice.different(6, COUNTRIES.len(), 1.4) {
        let share = (left as f64 * (0.2 + 0.3 * dice.unit())) as i64;
        if share > 0 {
            tables.view_countries.text(COUNTRIES[at]).int(video.id).int(share).end()?;
            left -= share;
        }
    }
    Ok(())
}
