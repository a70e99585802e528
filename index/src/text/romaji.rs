//! Conversion of romaji to hiragana.

/// Hepburn consonants by row of the kana table. The vowel selects the column.
const ROWS: [(&str, [&str; 5]); 34] = [
    ("", ["あ", "い", "う", "え", "お"]),
    ("k", ["か", "き", "く", "け", "こ"]),
    ("g", ["が", "ぎ", "ぐ", "げ", "ご"]),
    ("s", ["さ", "", "す", "せ", "そ"]),
    ("sh", ["しゃ", "し", "しゅ", "しぇ", "しょ"]),
    ("z", ["ざ", "", "ず", "ぜ", "ぞ"]),
    ("j", ["じゃ", "じ", "じゅ", "じぇ", "じょ"]),
    ("t", ["た", "", "", "て", "と"]),
    ("ch", ["ちゃ", "ち", "ちゅ", "ちぇ", "ちょ"]),
    ("ts", ["", "", "つ", "", ""]),
    ("d", ["だ", "", "", "で", "ど"]),
    ("n", ["な", "に", "ぬ", "ね", "の"]),
    ("h", ["は", "ひ", "", "へ", "ほ"]),
    ("f", ["", "", "ふ", "", ""]),
    ("b", ["ば", "び", "ぶ", "べ", "ぼ"]),
    ("p", ["ぱ", "ぴ", "ぷ", "ぺ", "ぽ"]),
    ("m", ["ま", "み", "む", "め", "も"]),
    ("y", ["や", "", "ゆ", "", "よ"]),
    ("r", ["ら", "り", "る", "れ", "ろ"]),
    ("w", ["わ", "", "", "", "を"]),
    ("ky", ["きゃ", "", "きゅ", "", "きょ"]),
    ("gy", ["ぎゃ", "", "ぎゅ", "", "ぎょ"]),
    ("ny", ["にゃ", "", "にゅ", "", "にょ"]),
    ("hy", ["ひゃ", "", "ひゅ", "", "ひょ"]),
    ("by", ["びゃ", "", "びゅ", "", "びょ"]),
    ("py", ["ぴゃ", "", "ぴゅ", "", "ぴょ"]),
    ("my", ["みゃ", "", "みゅ", "", "みょ"]),
    ("ry", ["りゃ", "", "りゅ", "", "りょ"]),
    ("kk", ["っか", "っき", "っく", "っけ", "っこ"]),
    ("pp", ["っぱ", "っぴ", "っぷ", "っぺ", "っぽ"]),
    ("ss", ["っさ", "", "っす", "っせ", "っそ"]),
    ("ssh", ["っしゃ", "っし", "っしゅ", "っしぇ", "っしょ"]),
    ("tch", ["っちゃ", "っち", "っちゅ", "っちぇ", "っちょ"]),
    ("tt", ["った", "", "", "って", "っと"]),
];

/// Converts a word in romaji to hiragana. Returns `None` if it isn't Japanese.
pub fn hiragana(word: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = word;
    while !rest.is_empty() {
        let consonants = rest.find(['a', 'i', 'u', 'e', 'o']).unwrap_or(rest.len());
        let (head, tail) = rest.split_at(consonants);
        // An n without a following vowel is a separate mora.
        if let Some(after) =
            head.strip_prefix('n').filter(|after| !after.is_empty() && *after != "y" || tail.is_empty())
        {
            out.push('ん');
            rest = &rest[rest.len() - after.len() - tail.len()..];
            continue;
        }
        let column = "aiueo".find(tail.chars().next()?)?;
        let kana = ROWS.iter().find(|(row, _)| *row == head)?.1[column];
        if kana.is_empty() {
            return None;
        }
        out.push_str(kana);
        rest = &tail[1..];
    }
    Some(out)
}

/// Returns the column of the vowel that a kana ends in.
pub fn vowel(kana: char) -> Option<usize> {
    ROWS.iter().find_map(|(_, row)| row.iter().position(|of| of.ends_with(kana)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_romaji_becomes_kana() {
        for (romaji, kana) in [
            ("shizuka", "しずか"),
            ("tachibana", "たちばな"),
            ("kenji", "けんじ"),
            ("junko", "じゅんこ"),
            ("matsumoto", "まつもと"),
            ("jun", "じゅん"),
            ("rikka", "りっか"),
        ] {
            assert_eq!(hiragana(romaji).as_deref(), Some(kana));
        }
        for name in ["clark", "lena", "schroder", "x"] {
            assert_eq!(hiragana(name), None, "{name}");
        }
    }
}
