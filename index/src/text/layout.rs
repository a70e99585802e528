//! Words typed on the wrong keyboard layout: the keys of ночной type `yjxyjq` on a Latin layout.

/// Keys of a Latin layout (QWERTY), and what they type on the Russian one (ЙЦУКЕН).
const LATIN: &str = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";
const RUSSIAN: &str = "йцукенгшщзхъфывапролджэячсмитьбюё";

/// Returns what the same keys type on the other layout, or `None` if the text has characters that neither layout has on these keys.
#[must_use]
pub fn other_layout(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let swap = |from: &str, to: &str| {
        let key = |c: char| match c {
            ' ' => Some(' '),
            c => to.chars().nth(from.chars().position(|key| key == c)?),
        };
        lower.chars().map(key).collect::<Option<String>>()
    };
    swap(LATIN, RUSSIAN).or_else(|| swap(RUSSIAN, LATIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_on_the_other_layout() {
        for (typed, meant) in
            [("yjxyjq hsyjr", Some("ночной рынок")), ("Ьфклуе", Some("market")), ("ns;l 2", None), ("éa", None)]
        {
            assert_eq!(other_layout(typed).as_deref(), meant, "{typed}");
        }
    }
}
