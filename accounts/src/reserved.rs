//! Names reserved for staff, and their look-alikes.

use lantern_config::Accounts;
use lantern_index::text::bare;

/// Returns whether a name is one of `accounts.reserved_names`, a concatenation of them, or looks like one. Ignores surrounding digits.
/// Also matches single words within a name, as in `anna-admin` or `AnnaAdmin`.
pub fn is_reserved(name: &str, accounts: &Accounts) -> bool {
    let reserved: Vec<String> = accounts.reserved_names.iter().map(|name| skeleton(name)).collect();
    let is_staff = |part: &str| {
        [part, part.trim_matches(|sign: char| sign.is_ascii_digit())]
            .into_iter()
            .any(|part| !part.is_empty() && is_concatenation(&skeleton(part), &reserved))
    };
    is_staff(&name.replace(['_', '-'], "")) || words(name).iter().any(|word| is_staff(word))
}

/// Splits a name at separators and between a lowercase and an uppercase letter.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last = '-';
    for sign in name.chars() {
        if matches!(sign, '_' | '-') || (sign.is_ascii_uppercase() && last.is_ascii_lowercase()) {
            words.push(String::new());
        }
        if !matches!(sign, '_' | '-')
            && let Some(word) = words.last_mut()
        {
            word.push(sign);
        }
        last = sign;
    }
    words
}

/// Folds look-alike characters, and also `cl` to `d`. [`bare`] lacks this last rule, because unlike names, which are ASCII, the texts it
/// normalizes may be in any script.
fn skeleton(name: &str) -> String {
    bare(name).replace("cl", "d")
}

/// Returns whether a name is a concatenation of reserved names.
fn is_concatenation(name: &str, reserved: &[String]) -> bool {
    reserved.iter().any(|word| {
        name.strip_prefix(word.as_str()).is_some_and(|rest| rest.is_empty() || is_concatenation(rest, reserved))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserves_staff_names_and_look_alikes() {
        let accounts = lantern_config::Config::default().accounts;
        for name in [
            "admin",
            "ADMIN",
            "Adm1n",
            "4dm1n",
            "admin_1",
            "admin2026",
            "0admin0",
            "adrnin",
            "a-d-m-i-n",
            "the_admin",
            "TheAdmin",
            "Moderator",
            "m0derat0r",
            "moderat0r-7",
            "anna-moderator",
            "support",
            "5upport",
            "supp0rt",
            "LanternSupport",
            "lantern_team",
            "1antern",
            "Iantern",
            "adminteam",
            "official",
            "Staff",
        ] {
            assert!(is_reserved(name, &accounts), "{name}");
        }
        for name in [
            "anna",
            "badminton",
            "administer",
            "admiral",
            "Modern",
            "moderato",
            "supporter",
            "teamwork",
            "lanterns",
            "demo",
            "mona",
            "officially",
            "rooter",
            "helpful",
            "stafford",
            "777",
            "---",
            "123_456",
            "ownership",
        ] {
            assert!(!is_reserved(name, &accounts), "{name}");
        }
    }
}
