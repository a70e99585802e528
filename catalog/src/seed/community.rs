//! Member activity (comments, subscriptions, friends, messages, walls and the demo member's lists), and the counters
//! derived from it.

use lantern_config::Lang;

use super::{DAY, SeedOptions, World, dice::Dice, load::EarlyEnd, tables::Tables, videos::after};

/// Totals that are collected while rows are written, so that the counters match.
pub(super) struct Tally {
    model_comments: Vec<i64>,
    model_votes: Vec<[i64; 2]>,
    model_subscribers: Vec<i64>,
    channel_subscribers: Vec<i64>,
    user_subscribers: Vec<i64>,
}

impl Tally {
    pub(super) fn new(options: &SeedOptions) -> Self {
        Self {
            model_comments: vec![0; options.models as usize],
            model_votes: vec![[0; 2]; options.models as usize],
            model_subscribers: vec![0; options.models as usize],
            channel_subscribers: vec![0; options.channels as usize],
            user_subscribers: vec![0; options.members.max(1) as usize],
        }
    }
}

/// Section and id of a commented object.
pub(super) type CommentedOn = (&'static str, i64);

/// Writes `count` comments by random members, oldest first, mostly in the language of the object.
pub(super) fn comments(
    world: &World<'_>,
    dice: &mut Dice,
    tables: &mut Tables,
    (section, object): CommentedOn,
    (lang, since): (Lang, i64),
    count: usize,
) -> Result<(), EarlyEnd> {
    let mut times: Vec<i64> = (0..count).map(|_| after(world.now, dice, since)).collect();
    times.sort_unstable();
    for when in times {
        let lang = if dice.chance(0.6) { lang } else { *dice.pick(Lang::ALL) };
        let member = dice.skewed(world.options.members.max(1) as usize, 1.3) as i64 + 1;
        let row = &mut tables.comments;
        let id = row.rows + 1;
        row.int(id).text(section).int(object).int(member);
        row.text(dice.pick(&world.words.comments)[lang as usize]).time(when.min(world.now)).end()?;
    }
    Ok(())
}

/// Writes up to `most` votes by different members and returns the number of upvotes and downvotes.
pub(super) fn votes(
    world: &World<'_>,
    dice: &mut Dice,
    tables: &mut Tables,
    (section, object): CommentedOn,
    since: i64,
    most: usize,
) -> Result<[i64; 2], EarlyEnd> {
    let members = world.options.members.max(1) as usize;
    let fondness = 0.55 + 0.43 * dice.unit();
    let mut sums = [0; 2];
    for member in dice.walk(most.min(members / 2), members) {
        let up = dice.chance(fondness);
        sums[usize::from(!up)] += 1;
        let row = &mut tables.votes;
        let id = row.rows + 1;
        row.int(id).text(section).int(object).int(member as i64 + 1).int(if up { 1 } else { -1 });
        row.date(after(world.now, dice, since)).end()?;
    }
    Ok(sums)
}

/// Writes the rest of the community.
pub(super) fn write(world: &mut World<'_>, tables: &mut Tables) -> Result<(), EarlyEnd> {
    let mut dice = Dice::new(world.options.seed, 7);
    for at in 0..world.options.models as usize {
        let about = ("model", at as i64 + 1);
        let since = world.now - i64::from(dice.between(1, 90)) * DAY;
        // Some walls have more than one page.
        let (count, lang) = (dice.below(16), *dice.pick(Lang::ALL));
        comments(world, &mut dice, tables, about, (lang, since), count)?;
        world.tally.model_comments[at] = count as i64;
        let most = dice.below(40);
        world.tally.model_votes[at] = votes(world, &mut dice, tables, about, since, most)?;
    }
    subscriptions(world, &mut dice, tables)?;
    friends(world, &mut dice, tables)?;
    lists(world, &mut dice, tables)?;
    counters(world, &mut dice, tables)
}

fn subscriptions(world: &mut World<'_>, dice: &mut Dice, tables: &mut Tables) -> Result<(), EarlyEnd> {
    let members = world.options.members.max(1) as usize;
    for member in 0..members {
        let kinds = [
            ("model", 6, world.tally.model_subscribers.len()),
            ("channel", 2, world.tally.channel_subscribers.len()),
            ("user", 2, members),
        ];
        for (section, most, objects) in kinds {
            let wanted = dice.below(most + 1);
            for object in dice.different(wanted, objects, 1.6) {
                if section == "user" && object == member {
                    continue;
                }
                let counts = match section {
                    "model" => &mut world.tally.model_subscribers,
                    "channel" => &mut world.tally.channel_subscribers,
                    _ => &mut world.tally.user_subscribers,
                };
                counts[object] += 1;
                let when = world.now - i64::from(dice.between(1, 300)) * DAY;
                tables.subscriptions.int(member as i64 + 1).text(section).int(object as i64 + 1).time(when).end()?;
            }
        }
    }
    Ok(())
}

/// Writes friendships. Friends are neighbors at fixed distances, so no pair repeats. The demo member has friends in all
/// directions.
fn friends(world: &World<'_>, dice: &mut Dice, tables: &mut Tables) -> Result<(), EarlyEnd> {
    let members = i64::from(world.options.members.max(1));
    let mut greetings = Vec::new();
    for member in 1..=members {
        let demo = member == 1;
        let distances: Vec<i64> = if demo { (1..=80).collect() } else { vec![1, 7, 40] };
        for distance in distances {
            let friend = member + distance;
            if friend > members || dice.chance(0.4) {
                continue;
            }
            let when = world.now - i64::from(dice.between(1, 300)) * DAY;
            let accepted = dice.chance(0.8);
            let row = &mut tables.friends;
            row.int(member).int(friend).text(if accepted { "accepted" } else { "requested" }).time(when);
            if accepted {
                row.time(when + 3600)
            } else {
                row.null()
            };
            row.end()?;
            let hello = dice.pick(&world.words.comments)[0];
            if accepted && (demo || dice.chance(0.3)) {
                greetings.push((when, member, friend, hello, demo || dice.chance(0.5)));
            }
        }
    }
    // Ids are in chronological order.
    greetings.sort_by_key(|(when, ..)| *when);
    for (when, member, friend, hello, answered) in greetings {
        let id = tables.messages.rows + 1;
        tables.messages.int(member).int(friend).text(hello).time(when + 7200).int(id).end()?;
        let row = &mut tables.walls;
        let id = row.rows + 1;
        row.int(id).int(friend).int(member).text(hello).time(when + 9000).end()?;
        if answered {
            let thanks = dice.pick(&world.words.comments)[0];
            tables.walls.int(id + 1).int(member).int(friend).text(thanks).time(when + 9000).end()?;
        }
    }
    Ok(())
}

/// Fills every list of the first members, including the demo member.
fn lists(world: &World<'_>, dice: &mut Dice, tables: &mut Tables) -> Result<(), EarlyEnd> {
    let videos = world.options.videos as usize;
    for member in 1..=i64::from(world.options.members.clamp(1, 200)) {
        for video in dice.different(12, videos, 1.0) {
            let when = world.now - i64::from(dice.between(1, 60)) * DAY;
            tables.watch_later.int(member).int(video as i64 + 1).time(when).end()?;
        }
        for video in dice.different(40, videos, 1.0) {
            let when = world.now - i64::from(dice.between(1, 5_000_000));
            tables.history.int(member).int(video as i64 + 1).time(when).int(dice.between(0, 600)).end()?;
        }
    }
    Ok(())
}

fn counters(world: &World<'_>, dice: &mut Dice, tables: &mut Tables) -> Result<(), EarlyEnd> {
    let tally = &world.tally;
    for (at, subscribers) in tally.model_subscribers.iter().enumerate() {
        let row = &mut tables.model_stats;
        let [likes, dislikes] = tally.model_votes[at];
        row.int(at as i64 + 1).int(dice.popularity(300.0, 3_000_000.0) as i64).int(likes).int(dislikes);
        row.int(tally.model_comments[at]).int(*subscribers).end()?;
    }
    for (at, subscribers) in tally.channel_subscribers.iter().enumerate() {
        tables
            .channel_stats
            .int(at as i64 + 1)
            .int(dice.popularity(500.0, 900_000.0) as i64)
            .int(*subscribers)
            .end()?;
    }
    for (at, subscribers) in tally.user_subscribers.iter().enumerate() {
        tables
            .user_stats
            .int(at as i64 + 1)
            .int(dice.popularity(5.0, 40_000.0) as i64)
            .int(0)
            .int(*subscribers)
            .end()?;
    }
    Ok(())
}
