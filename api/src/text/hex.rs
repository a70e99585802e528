//! Bytes in hexadecimal, small letters.

/// Two signs a byte.
pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        for half in [byte >> 4, byte & 0xf] {
            text.push(char::from_digit(half.into(), 16).unwrap_or_default());
        }
        text
    })
}

/// Either case; `None` for anything else.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) {
        return None;
    }
    let half = |sign: u8| char::from(sign).to_digit(16).and_then(|half| u8::try_from(half).ok());
    text.as_bytes().chunks(2).map(|pair| Some(half(pair[0])? << 4 | half(pair[1])?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        assert_eq!(encode(&[0, 0x9f, 0xff]), "009fff");
        assert_eq!(decode("009fFF"), Some(vec![0, 0x9f, 0xff]));
        for text in ["0", "0g", "é", "+1"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
