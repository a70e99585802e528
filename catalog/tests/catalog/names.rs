//! Normalization of usernames and e-mail addresses, both in Rust and in the database.

use std::collections::BTreeSet;

use lantern_catalog::{accounts, names::NameKey};
use lantern_testing::TestDb;

/// Returns all case mappings of a letter, with and without the combining dot that `İ` leaves behind.
fn spellings(c: char) -> BTreeSet<String> {
    let cases = [c.to_string(), c.to_lowercase().to_string(), c.to_uppercase().to_string()];
    let again = cases.clone().map(|text| [text.to_lowercase(), text.to_uppercase()]);
    let plain = cases.into_iter().chain(again.into_iter().flatten());
    plain.flat_map(|text| [format!("{text}\u{307}"), text]).collect()
}

/// Returns all letters that have case.
fn letters() -> impl Iterator<Item = char> {
    ('\u{21}'..=char::MAX).filter(|c| !c.is_whitespace() && !c.is_control() && *c != '@').filter(|c| {
        let itself = [*c];
        !c.to_lowercase().eq(itself) || !c.to_uppercase().eq(itself)
    })
}

/// Creates an account for every spelling that the database accepts, then looks up every spelling. Two spellings must
/// find the same account if and only if rate limits count them as one.
#[tokio::test]
async fn any_spelling_that_finds_an_account_counts_as_that_account() {
    let db = TestDb::create().await.unwrap();
    let all: BTreeSet<String> = letters().flat_map(spellings).collect();
    assert!(all.len() > 5_000, "{}", all.len());
    let addresses: Vec<String> = all.iter().map(|text| format!("x{text}@mail.example")).collect();
    sqlx::query(
        "insert into users (username, email) select 'name' || n, a from unnest($1::text[]) with ordinality t(a, n)
         on conflict do nothing",
    )
    .bind(&addresses)
    .execute(&db.pool)
    .await
    .unwrap();
    for address in &addresses {
        let key = NameKey::of(address);
        let found = accounts::by_login(&db.pool, &key).await.unwrap().unwrap();
        assert_eq!(NameKey::of(&found.email), key, "{address} finds {}", found.email);
    }
    let keys: BTreeSet<String> = addresses.iter().map(|address| NameKey::of(address).as_str().to_owned()).collect();
    let accounts: i64 = sqlx::query_scalar("select count(*) from users").fetch_one(&db.pool).await.unwrap();
    assert_eq!(usize::try_from(accounts).unwrap(), keys.len(), "the unique index uses the same form");
}

/// Rust and SQL normalize every character alike.
#[tokio::test]
async fn rust_and_sql_normalize_alike() {
    let db = TestDb::create().await.unwrap();
    let (texts, keys): (Vec<String>, Vec<String>) = ('\u{1}'..=char::MAX)
        .map(|c| format!("A{c}z"))
        .map(|text| (text.clone(), NameKey::of(&text).as_str().to_owned()))
        .unzip();
    let differ: Vec<String> = sqlx::query_scalar(
        "select text from unnest($1::text[], $2::text[]) as t(text, key) where name_key(text) is distinct from key",
    )
    .bind(&texts)
    .bind(&keys)
    .fetch_all(&db.pool)
    .await
    .unwrap();
    assert!(differ.is_empty(), "{differ:?}");
}

/// Usernames are ASCII, so only the letters of the username, in either case, find it.
#[tokio::test]
async fn username_is_found_only_by_its_own_letters() {
    let db = TestDb::create().await.unwrap();
    let letters_of_names = "abcdefghijklmnopqrstuvwxyz";
    for part in [&letters_of_names[..13], &letters_of_names[13..]] {
        sqlx::query("insert into users (username, email) values ($1, $1 || '@mail.example')")
            .bind(part)
            .execute(&db.pool)
            .await
            .unwrap();
        for text in letters().filter(|c| !c.is_ascii()).flat_map(spellings).filter(|text| !text.is_ascii()) {
            for (at, letter) in part.char_indices() {
                let same =
                    text.to_lowercase().starts_with(letter) || text.to_uppercase().to_lowercase().starts_with(letter);
                if !same {
                    continue;
                }
                let typed = format!("{}{text}{}", &part[..at], &part[at + 1..]);
                let found = accounts::by_login(&db.pool, &NameKey::of(&typed)).await.unwrap();
                assert!(found.is_none(), "{typed} finds {part}");
            }
        }
        assert!(accounts::by_login(&db.pool, &NameKey::of(&part.to_ascii_uppercase())).await.unwrap().is_some());
    }
}
