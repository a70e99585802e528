//! Decodes captions to text.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

/// Decodes bytes with the encoding that their byte order mark names or their content suggests. Line breaks become `\n`.
/// Returns `None` for binary data.
pub fn decode(bytes: &[u8]) -> Option<String> {
    let (encoding, skip) = Encoding::for_bom(bytes).unwrap_or_else(|| {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(bytes, true);
        (detector.guess(None, Utf8Detection::Allow), 0)
    });
    let text = encoding.decode_without_bom_handling(&bytes[skip..]).0;
    // Text never contains these characters, and files in other formats nearly always do.
    let is_binary = text.chars().any(|char| matches!(char, '\0'..='\x08' | '\x0E'..='\x1A'));
    (!is_binary).then(|| text.replace("\r\n", "\n").replace('\r', "\n"))
}
