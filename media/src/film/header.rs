//! Reads what players have to know about a rendition from the header of its segments.

use lantern_catalog::video_codec::VideoCodec;

/// Returns the content of the box with this name, up to the end of the file.
fn content<'a>(head: &'a [u8], name: &[u8; 4]) -> Option<&'a [u8]> {
    let at = head.windows(4).position(|window| window == name)?;
    head.get(at + 4..)
}

/// Returns whether there is AAC (ISO 14496-14).
pub fn has_aac(head: &[u8]) -> bool {
    content(head, b"mp4a").is_some()
}

/// Returns the video's codec in the format of RFC 6381, or `None` if it is another one.
pub fn video_codec(head: &[u8], codec: VideoCodec) -> Option<String> {
    match codec {
        VideoCodec::H264 => avc(content(head, b"avcC")?),
        VideoCodec::Av1 => av1(content(head, b"av1C")?),
        VideoCodec::Hevc => hevc(content(head, b"hvcC")?),
    }
}

/// ISO 14496-15, section 5.3.3.1: a version, then profile, compatibility and level.
fn avc(content: &[u8]) -> Option<String> {
    Some(format!("avc1.{}", hex::encode(content.get(1..4)?)))
}

/// Codec mapping of AV1 in ISOBMFF, sections 2.3 and 5: a version, then profile (3 bits) and level (5 bits), then tier and bit depth.
fn av1(content: &[u8]) -> Option<String> {
    let [_, first, second] = *content.first_chunk()?;
    let (profile, level) = (first >> 5, first & 31);
    let tier = if second & 0x80 == 0 { 'M' } else { 'H' };
    let bits = match (second & 0x40 != 0, second & 0x20 != 0) {
        (false, _) => 8,
        (true, false) => 10,
        (true, true) => 12,
    };
    Some(format!("av01.{profile}.{level:02}{tier}.{bits:02}"))
}

/// ISO 14496-15, section 8.3.3.1 and annex E.3: a version, then profile space (2 bits), tier and profile (5 bits), 32 bits of compatibility,
/// which are written in reverse order, six bytes of constraints, of which zeros at the end are left out, and the level.
fn hevc(content: &[u8]) -> Option<String> {
    let content = content.get(..13)?;
    let (profile, tier) = (content[1] & 31, if content[1] & 0x20 == 0 { 'L' } else { 'H' });
    let space = ["", "A", "B", "C"][usize::from(content[1] >> 6)];
    let compatible = u32::from_be_bytes(*content[2..6].first_chunk()?).reverse_bits();
    let constraints = &content[6..12];
    let used = constraints.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let constraints: String = constraints[..used].iter().map(|byte| format!(".{byte:X}")).collect();
    Some(format!("hvc1.{space}{profile}.{compatible:X}.{tier}{}{constraints}", content[12]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codecs_are_named_as_players_expect() {
        let boxed = |name: &[u8], content: &[u8]| [b"....stsd....", name, content].concat();
        let named = |name: &[u8; 4], content: &[u8], codec| video_codec(&boxed(name, content), codec);
        assert_eq!(named(b"avcC", &[1, 0x64, 0, 0x1f], VideoCodec::H264).unwrap(), "avc1.64001f");
        // The example of the AV1 mapping.
        assert_eq!(named(b"av1C", &[0x81, 0x04, 0x4c], VideoCodec::Av1).unwrap(), "av01.0.04M.10");
        assert_eq!(named(b"av1C", &[0x81, 0x08, 0x0c], VideoCodec::Av1).unwrap(), "av01.0.08M.08");
        let main = [1, 1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 93];
        assert_eq!(named(b"hvcC", &main, VideoCodec::Hevc).unwrap(), "hvc1.1.6.L93.90");
        let high = [1, 0x22, 0x20, 0, 0, 0, 0xb0, 0, 0, 0, 0, 1, 120];
        assert_eq!(named(b"hvcC", &high, VideoCodec::Hevc).unwrap(), "hvc1.2.4.H120.B0.0.0.0.0.1");
        assert_eq!(named(b"av1C", &[0x81, 0x08], VideoCodec::Av1), None);
        assert_eq!(named(b"avcC", &[1, 0x64, 0, 0x1f], VideoCodec::Av1), None);
    }
}
