//! Formats durations and shortens texts, for the heads of pages and for feeds.

/// Parses `h:m:s` or `m:s` into seconds.
pub fn seconds(duration: &str) -> u32 {
    duration.split(':').fold(0, |sum, part| sum * 60 + part.parse::<u32>().unwrap_or(0))
}

/// Formats a duration as ISO 8601: `1:02:33` → `PT1H2M33S`.
pub fn iso_duration(duration: &str) -> String {
    let whole = seconds(duration);
    let mut out = String::from("PT");
    for (value, unit) in [(whole / 3600, 'H'), (whole / 60 % 60, 'M'), (whole % 60, 'S')] {
        if value > 0 || (unit == 'S' && out.len() == 2) {
            out.push_str(&value.to_string());
            out.push(unit);
        }
    }
    out
}

/// Shortens a text to at most `most` characters. It is cut between words if possible.
pub fn beginning(text: &str, most: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = flat.char_indices().nth(most) else { return flat };
    let cut = &flat[..end];
    // A text without spaces is cut at the limit.
    let cut = cut.rfind(' ').filter(|at| *at > end / 2).map_or(cut, |at| &cut[..at]);
    format!("{}…", cut.trim_end_matches([',', ';', ':', '.', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_in_iso_8601() {
        for (shown, iso) in
            [("12:05", "PT12M5S"), ("1:02:33", "PT1H2M33S"), ("0:05", "PT5S"), ("10:00", "PT10M"), ("0:00", "PT0S")]
        {
            assert_eq!(iso_duration(shown), iso);
        }
        assert_eq!(seconds("1:02:33"), 3753);
    }

    #[test]
    fn texts_are_cut_between_words() {
        assert_eq!(beginning("one  two\nthree", 40), "one two three");
        assert_eq!(beginning("one two three", 9), "one two…");
        assert_eq!(beginning("温泉旅館の夜", 3), "温泉旅…");
    }
}
