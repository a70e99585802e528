//! Members: first the demo member, then fictitious ones.

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, SaltString},
};

use super::{DAY, DEMO_PASSWORD, DEMO_USER, World, dice::Dice, load::EarlyEnd, tables::Tables};
use crate::status::MemberStatus;

const FIRST: [&str; 16] = [
    "quiet", "silver", "misty", "golden", "velvet", "amber", "lunar", "northern", "paper", "crimson", "gentle",
    "urban", "indigo", "mellow", "distant", "winter",
];
const SECOND: [&str; 16] = [
    "lantern", "river", "crane", "harbour", "maple", "violet", "comet", "garden", "tiger", "signal", "canvas", "heron",
    "meadow", "echo", "willow", "train",
];
/// Countries of members and views, most frequent first.
pub(super) const COUNTRIES: [&str; 16] =
    ["US", "JP", "DE", "FR", "BR", "GB", "RU", "IT", "ES", "PL", "NL", "KR", "TH", "MX", "CA", "AU"];

/// Writes users and profiles with the ids 1 to `options.members`.
pub(super) fn write(world: &World<'_>, tables: &mut Tables) -> Result<(), EarlyEnd> {
    let mut dice = Dice::new(world.options.seed, 1);
    for id in 1..=world.options.members.max(1) {
        let demo = id == 1;
        let name = if demo { DEMO_USER.to_owned() } else { name(id) };
        let joined = world.now - i64::from(dice.between(1, 1400)) * DAY - i64::from(dice.between(0, 86_399));
        let users = &mut tables.users;
        users.int(id).text(&name).text(&format!("{name}@members.example"));
        users.maybe(demo.then_some(world.demo_hash.as_str()));
        let status = if demo { MemberStatus::ManagesUploads } else { MemberStatus::Ordinary };
        users.int(i16::from(status));
        let avatar = dice.below(48);
        users.maybe((demo || dice.chance(0.7)).then(|| format!("demo/pictures/{avatar:02}")).as_deref());
        // All are confirmed, because unconfirmed members could not have created their content.
        users.time(joined + 600).time(joined).end()?;
        profile(world, &mut dice, tables, id, joined)?;
    }
    Ok(())
}

fn profile(world: &World<'_>, dice: &mut Dice, tables: &mut Tables, id: u32, joined: i64) -> Result<(), EarlyEnd> {
    let about = dice.pick(&world.words.about)[dice.below(10)];
    let row = &mut tables.profiles;
    row.int(id);
    row.text(["male", "female", "trans", "couple"][dice.weighted(&[55, 33, 5, 7])]);
    // Members were at least 21 when they joined.
    row.date(joined - i64::from(dice.between(21 * 366, 62 * 365)) * DAY);
    row.text(dice.word(&["single", "in_relationship", "married", "open", "complicated"]));
    row.text(["straight", "gay", "lesbian", "bisexual"][dice.weighted(&[70, 10, 7, 13])]);
    row.maybe(dice.chance(0.6).then_some(about));
    row.text(COUNTRIES[dice.skewed(COUNTRIES.len(), 1.5)]).time(joined);
    row.end()
}

/// Returns a name that is unique to the id.
fn name(id: u32) -> String {
    let at = id as usize;
    format!("{}{}{}", FIRST[at % 16], SECOND[(at / 16) % 16], id)
}

/// Returns the Argon2id hash of the demo password, with OWASP's parameters (19 MiB, two passes, one lane).
pub(super) fn demo_hash(seed: u64) -> Result<String, argon2::password_hash::Error> {
    let salt = SaltString::encode_b64(&Dice::new(seed, 0).bytes::<16>())?;
    let params = Params::new(19 * 1024, 2, 1, None)?;
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    Ok(argon.hash_password(DEMO_PASSWORD.as_bytes(), &salt)?.to_string())
}
