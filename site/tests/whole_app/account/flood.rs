//! Floods of sign-ins from a provider's IPv6 network, and of passwords to check.

use futures_util::future::join_all;
use lantern_config::{CaptchaProvider, Config, Policy};

use crate::{
    account::signup::{FORM, login, signed_up, site},
    support::App,
};

fn few_failures(config: &mut Config) {
    let Policy::Exact(exact) = &mut config.limits.login_address else { panic!("not an exact limit") };
    exact.attempts = 3;
}

/// Makes one failed sign-in from each address and returns the statuses.
async fn failures(app: &App, addresses: impl IntoIterator<Item = String>) -> Vec<u16> {
    let mut statuses = Vec::new();
    for address in addresses {
        statuses.push(login(&app.guest().at(&address), "Nobody", "wrong horse").await.status);
    }
    statuses
}

fn refused(statuses: &[u16]) -> usize {
    statuses.iter().filter(|status| **status == 429).count()
}

#[tokio::test]
async fn ipv6_networks_share_larger_allowances() {
    let app = site(few_failures).await;
    // A household's /56 has four times the allowance of a /64.
    let home = failures(&app, (0..20).map(|n| format!("2001:db8:1:{n:x}::1"))).await;
    assert_eq!((refused(&home[..12]), refused(&home[12..])), (0, 8), "{home:?}");
    // A provider's /48 has sixteen times that allowance, part of which the household has used.
    let provider = failures(&app, (1..60).map(|n| format!("2001:db8:1:{:x}::1", n << 8))).await;
    assert_eq!((refused(&provider[..36]), refused(&provider[36..])), (0, 23), "{provider:?}");
    // Neighboring networks and IPv4 are counted separately.
    assert_eq!(failures(&app, ["2001:db8:2::1".to_owned(), "192.0.2.1".to_owned()]).await, [401, 401]);
    app.finish().await;
}

#[tokio::test]
async fn successful_sign_ins_do_not_count_against_the_network() {
    let app = site(few_failures).await;
    signed_up(&app).await;
    for n in 0..60 {
        let reply = login(&app.guest().at(&format!("2001:db8:1:{n:x}::1")), "Mika", "correct horse").await;
        assert_eq!(reply.status, 200, "{n}: {}", reply.text());
    }
    app.finish().await;
}

#[tokio::test]
async fn member_with_proof_signs_in_during_a_flood() {
    let app = site(|config| {
        config.captcha.provider = CaptchaProvider::Altcha;
        config.captcha.max_number = 100;
        // One hash takes longer than all requests need to join the queue.
        let argon2 = &mut config.accounts.argon2;
        (argon2.at_once, argon2.memory_kib, argon2.passes) = (1, 32_768, 10);
    })
    .await;
    let browser = app.guest();
    let proof = app.proof("signup").await;
    assert_eq!(browser.post("/api/signup.php", &[&FORM[..], &[("captcha", &*proof)]].concat()).await.status, 200);
    app.sql("update users set email_confirmed_at = now()").await;
    app.drain().await;
    let proof = app.proof("login").await;
    // Each robot has a different address, so that no rate limit applies.
    let robots: Vec<_> = (0..16).map(|n| (browser.at(&format!("203.0.113.{n}")), format!("Nobody{n}"))).collect();
    let flood = join_all(robots.iter().map(|(robot, name)| login(robot, name, "wrong horse")));
    let proven = [("usr", "Mika"), ("pwd", "correct horse"), ("captcha", &*proof)];
    let (flood, member) = tokio::join!(flood, browser.post("/api/login.php", &proven));
    assert_eq!(member.status, 200, "{}", member.text());
    let challenged: Vec<_> = flood.iter().filter(|reply| reply.status == 422).collect();
    assert!(challenged.len() >= 8, "{:?}", flood.iter().map(|reply| reply.status).collect::<Vec<_>>());
    for reply in challenged {
        reply.refused(422, "captcha_required");
    }
    // Every queued request is answered, and none gets a 503.
    assert!(flood.iter().all(|reply| [401, 422].contains(&reply.status)));
    app.finish().await;
}
