//! Hostile texts to test filters with.

/// A small generator (xorshift), so that failures are reproducible.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }

    fn text(&mut self) -> String {
        const PIECES: [&str; 33] = [
            "\"",
            "'",
            "\\",
            "\\\"",
            "\\'",
            "\\n",
            "\n",
            "\t",
            "\0",
            " ",
            "AND",
            "OR",
            "NOT",
            "TO",
            "IN",
            "EXISTS",
            "IS NULL",
            "IS EMPTY",
            "_geoRadius(1,2,3)",
            "(",
            ")",
            "[",
            "]",
            "=",
            "!=",
            "<",
            ",",
            "温泉",
            "🦀",
            "é",
            "a",
            "-",
            "Ж",
        ];
        (0..=self.below(7)).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }
}

/// Returns hand-picked and random texts. The longest have the maximum length of a facet value.
pub fn texts() -> Vec<String> {
    let words = [
        "AND",
        "OR",
        "NOT",
        "TO",
        "EXISTS",
        "IN",
        "NULL",
        "EMPTY",
        "IS NULL",
        "IS NOT EMPTY",
        "CONTAINS",
        "STARTS WITH",
        "_geoRadius",
        "a TO b",
        "1 TO 2",
        "x OR y",
        "NOT x",
        "true",
        "null",
        "1",
        "-0.5",
        "\"",
        "'",
        "\"\"",
        "''",
        "\\",
        "\\\\",
        "\\\"",
        "\"quoted\"",
        "it's",
        "a\"b'c\\d",
        "[a, b]",
        "(a)",
        "a = b",
        "a != b",
        "*",
        "%",
        "$1",
        "{}",
        "<b>",
        "🦀",
        "👩‍👩‍👧‍👦",
        "温泉",
        "ٱلْعَرَبِيَّة",
        "e\u{301}",
        "line\nbreak",
        "tab\tbed",
        "nul\0l",
        "\u{202e}back",
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let random_texts = (0..150).map(|_| random.text());
    let longest = [
        "x".repeat(468),
        "\"".repeat(468),
        "\\".repeat(468),
        "🦀".repeat(117),
        "温".repeat(156),
        "AND ".repeat(116) + "AND!",
    ];
    words.map(str::to_owned).into_iter().chain(random_texts).chain(longest).collect()
}
