//! Base64 as forms and tokens carry it.

/// The alphabet of file and address names (RFC 4648, section 5).
const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Without padding, for addresses and cookies.
pub fn encode_url(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for at in 0..=group.len() {
            let index = (bits >> (18 - 6 * at)) & 0x3f;
            text.push(char::from(URL[index as usize]));
        }
    }
    text
}

/// Either alphabet, with or without padding; `None` for anything else, and for texts that another spelling of the same bytes
/// exists for.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    for group in text.chunks(4) {
        if group.len() == 1 {
            return None;
        }
        let mut bits = 0u32;
        for (at, sign) in group.iter().enumerate() {
            bits |= u32::from(value(*sign)?) << (18 - 6 * at);
        }
        let [_, one, two, three] = bits.to_be_bytes();
        let whole = [one, two, three];
        let (used, unused) = whole.split_at(group.len() - 1);
        if unused.iter().any(|rest| *rest != 0) {
            return None;
        }
        bytes.extend_from_slice(used);
    }
    Some(bytes)
}

fn value(sign: u8) -> Option<u8> {
    match sign {
        b'A'..=b'Z' => Some(sign - b'A'),
        b'a'..=b'z' => Some(sign - b'a' + 26),
        b'0'..=b'9' => Some(sign - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for (bytes, text) in [(&b""[..], ""), (b"f", "Zg"), (b"fo", "Zm8"), (b"foo", "Zm9v"), (b"\xfb\xff\xfe", "-__-")]
        {
            assert_eq!(encode_url(bytes), text);
            assert_eq!(decode(text).as_deref(), Some(bytes));
        }
        assert_eq!(decode("+//+").as_deref(), Some(&b"\xfb\xff\xfe"[..]));
        assert_eq!(decode("Zg==").as_deref(), Some(&b"f"[..]));
    }

    #[test]
    fn nothing_else_is_taken() {
        for text in ["Z", "Zh", "Zm9v!", "Zm 9", "é", "Zm9vZ"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
