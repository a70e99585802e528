//! All forms share one rule for mail addresses.

use axum::{body::Body, http::Method};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use crate::{
    account::limits::signed_in_member,
    account::openid::{google, sign_in},
    account::signup::{FORM, site},
    support::openid_provider::{MIKA, Provider, Someone},
};

/// Addresses that mail parsers may accept, or that look valid, but that are refused here.
const INVALID: [&str; 9] = [
    "\"a@b\"@x.example",
    "\"a\"@x.example",
    "\"a\\@b\"@x.example",
    "a@b@x.example",
    "a\"b@x.example",
    "a b@x.example",
    "a@x.example, b@x.example",
    "<a@x.example>",
    "a@[192.0.2.1]",
];

#[tokio::test]
async fn every_form_refuses_invalid_addresses() {
    let app = site(|_| {}).await;
    let member = signed_in_member(&app).await;
    let guest = app.guest();
    for invalid in INVALID {
        let form: Vec<_> =
            FORM.into_iter().map(|(name, usual)| (name, if name == "eml" { invalid } else { usual })).collect();
        guest.post("/api/signup.php", &form).await.refused(422, "eml_invalid");
        guest.post("/api/restore.php", &[("eml", invalid)]).await.refused(422, "eml_invalid");
        let change = [("act", "mail"), ("pwd_now", "correct horse"), ("eml", invalid)];
        member.post("/api/account.php", &change).await.refused(422, "eml_invalid");
        let report = format!(
            "--x\r\ncontent-disposition: form-data; name=\"email\"\r\n\r\n{invalid}\r\n\
             --x\r\ncontent-disposition: form-data; name=\"message\"\r\n\r\nHello\r\n--x--\r\n"
        );
        let headers = [
            ("content-type", "multipart/form-data; boundary=x"),
            ("content-length", &*report.len().to_string()),
            ("sec-fetch-site", "same-origin"),
        ];
        let reply = guest.send(Method::POST, "/api/report.php", &headers, Body::from(report.clone())).await;
        reply.refused(422, "email_invalid");
    }
    assert_eq!(app.numbers("select count(*) from users").await, [1]);
    app.finish().await;
}

#[tokio::test]
async fn refuses_invalid_addresses_from_openid_provider() {
    let provider = Provider::start().await;
    let app = site(google(&provider)).await;
    for invalid in INVALID {
        provider.is(Someone { email: invalid, ..MIKA });
        let location = sign_in(&app, &provider).await.header("location").to_owned();
        assert_eq!(location, "/signin/?error=openid_mail_unverified", "{invalid}");
    }
    assert_eq!(app.numbers("select count(*) from users").await, [0]);
    app.finish().await;
}

/// If an address passed the rule but violated the catalog's constraint, the result would be a 500.
#[tokio::test]
async fn catalog_accepts_every_valid_address() {
    let app = site(|_| {}).await;
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let parts = [
        "a", "B", "1", ".", "-", "+", "_", "\"", "@", "\\", " ", "\t", ",", "(", "<", "ü", "İ", "日", "\u{200b}",
        "\u{a0}",
    ];
    let mut accepted = 0_i64;
    for n in 0..400_u16 {
        let length = random.random_range(1..6);
        let local: String = (0..length).map(|_| *parts.choose(&mut random).unwrap()).collect();
        // Mail parsers accept nearly everything in quotes.
        let local = if random.random_bool(0.3) { format!("\"{local}\"") } else { local };
        let (usr, eml) = (format!("name{n}"), format!("{local}@x{n}.example"));
        let form = [("usr", &*usr), ("eml", &eml), ("pwd", "correct horse"), ("agree18", "1")];
        let [high, low] = n.to_be_bytes();
        let reply = app.guest().at(&format!("203.0.{high}.{low}")).post("/api/signup.php", &form).await;
        assert!([200, 422].contains(&reply.status), "{eml:?}: {}", reply.text());
        accepted += i64::from(reply.status == 200);
    }
    assert!((20..380).contains(&accepted), "both outcomes must occur: {accepted} accepted");
    assert_eq!(app.numbers("select count(*) from users").await, [accepted]);
    app.drain().await;
    app.finish().await;
}
