//! Names that only staff may have, and those that look like them.

use lantern_config::Accounts;
use lantern_index::text::bare;

/// Whether a name is one of `accounts.reserved_names`, is made of them, or looks so; digits around it change nothing, and neither
/// does what stands beside it apart, as in `anna-admin` or `AnnaAdmin`.
pub fn is_reserved(name: &str, accounts: &Accounts) -> bool {
    let reserved: Vec<String> = accounts.reserved_names.iter().map(|name| skeleton(name)).collect();
    let is_staff = |part: &str| {
        [part, part.trim_matches(|sign: char| sign.is_ascii_digit())]
            .into_iter()
            .any(|part| !part.is_empty() && is_made_of(&skeleton(part), &reserved))
    };
    is_staff(&name.replace(['_', '-'], "")) || words(name).iter().any(|word| is_staff(word))
}

/// The parts of a name between separators, and where a small letter is followed by a capital one.
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

/// What a name looks like. Names of ASCII have one more look-alike than texts of many scripts may be read by.
fn skeleton(name: &str) -> String {
    bare(name).replace("cl", "d")
}

/// Whether a name is one of these after the other.
fn is_made_of(name: &str, reserved: &[String]) -> bool {
    reserved
        .iter()
        .any(|word| name.strip_prefix(word.as_str()).is_some_and(|rest| rest.is_empty() || is_made_of(rest, reserved)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_would_be_taken_for_staff_needs_another_name() {
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
