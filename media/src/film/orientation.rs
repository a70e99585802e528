//! Whether the pictures of a film have to be turned or mirrored. ffmpeg does it while it decodes.

/// How a picture is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orientation {
    /// Whether it is shown as it is stored, neither turned nor mirrored.
    pub is_upright: bool,
    /// Whether width and height change places.
    pub is_sideways: bool,
}

/// An upright picture.
pub const UPRIGHT: Orientation = Orientation { is_upright: true, is_sideways: false };

impl Orientation {
    /// Reads ffprobe's dump of a display matrix, which has three lines of an offset and three numbers.
    pub fn of(dump: &str) -> Self {
        let numbers: Vec<i64> = dump
            .split_whitespace()
            .filter(|word| !word.ends_with(':'))
            .map_while(|word| word.parse::<i32>().ok().map(i64::from))
            .collect();
        // A pixel at (x, y) is shown at (a x + c y, b x + d y).
        let [a, b, _, c, d, ..] = numbers[..] else { return UPRIGHT };
        let is_sideways = a.abs() + d.abs() < b.abs() + c.abs();
        Self { is_upright: b == 0 && c == 0 && a > 0 && d > 0, is_sideways }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read([a, b, c, d]: [i32; 4]) -> (bool, bool) {
        let dump =
            format!("\n00000000: {a:>12} {b:>12} 0\n00000001: {c:>12} {d:>12} 0\n00000002: 0 31457280 1073741824\n");
        let Orientation { is_upright, is_sideways } = Orientation::of(&dump);
        (is_upright, is_sideways)
    }

    #[test]
    fn matrices_tell_how_pictures_are_stored() {
        for (matrix, expected) in [
            ([1, 0, 0, 1], (true, false)),
            ([-1, 0, 0, 1], (false, false)),
            ([1, 0, 0, -1], (false, false)),
            ([-1, 0, 0, -1], (false, false)),
            ([0, 1, -1, 0], (false, true)),
            ([0, -1, -1, 0], (false, true)),
            ([9, 1, -1, 9], (false, false)),
        ] {
            assert_eq!(read(matrix.map(|number| number * 3600)), expected, "{matrix:?}");
        }
        assert_eq!(read([i32::MIN, 0, 0, i32::MIN]), (false, false));
        assert_eq!([Orientation::of(""), Orientation::of("00000000: 1 2 x")], [UPRIGHT; 2]);
    }
}
