//! Writes XML for other programs: sitemaps, feeds and oEmbed.

use std::borrow::Cow;

use quick_xml::{
    Writer,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event},
};

/// Writer for an XML document or a part of one.
pub struct Xml(Writer<Vec<u8>>);

type Attributes<'a> = &'a [(&'a str, &'a str)];

impl Xml {
    /// Starts a part of a document.
    pub fn part() -> Self {
        Self(Writer::new(Vec::new()))
    }

    /// Starts a document, with its declaration.
    pub fn document() -> Self {
        let mut xml = Self::part();
        xml.write(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        xml
    }

    /// Writes an element with its content.
    pub fn element(&mut self, name: &str, attributes: Attributes<'_>, content: impl FnOnce(&mut Self)) {
        self.open(name, attributes);
        content(self);
        self.close(name);
    }

    /// Writes an element that holds only text.
    pub fn text(&mut self, name: &str, text: &str) {
        self.text_with(name, &[], text);
    }

    /// Writes an element with attributes that holds only text.
    pub fn text_with(&mut self, name: &str, attributes: Attributes<'_>, text: &str) {
        self.element(name, attributes, |xml| xml.write(Event::Text(BytesText::new(&legal(text)))));
    }

    /// Writes an element without content.
    pub fn empty(&mut self, name: &str, attributes: Attributes<'_>) {
        self.write(Event::Empty(start(name, attributes)));
    }

    /// Writes a start tag. The end tag may be in another part.
    pub fn open(&mut self, name: &str, attributes: Attributes<'_>) {
        self.write(Event::Start(start(name, attributes)));
    }

    /// Writes an end tag.
    pub fn close(&mut self, name: &str) {
        self.write(Event::End(BytesEnd::new(name)));
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_inner()
    }

    fn write(&mut self, event: Event<'_>) {
        // Writing into memory can't fail.
        let _ = self.0.write_event(event);
    }
}

fn start<'a>(name: &'a str, attributes: Attributes<'a>) -> BytesStart<'a> {
    let values = attributes.iter().map(|(name, value)| (*name, legal(value)));
    values.fold(BytesStart::new(name), |mut start, (name, value)| {
        start.push_attribute((name, &*value));
        start
    })
}

/// Replaces characters that XML forbids even when escaped.
fn legal(text: &str) -> Cow<'_, str> {
    let fits = |c| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    if text.chars().all(fits) {
        return text.into();
    }
    text.chars().map(|c| if fits(c) { c } else { '\u{fffd}' }).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_never_becomes_markup() {
        let hostile = "</script><!--]]>&amp;'\"\u{0}\u{8}\u{ffff}温泉\n";
        let mut xml = Xml::document();
        xml.element("a", &[("b", hostile)], |xml| xml.text("c", hostile));
        let written = String::from_utf8(xml.into_bytes()).expect("UTF-8");
        let read = roxmltree::Document::parse(&written).expect(&written);
        let text = read.descendants().find(|node| node.has_tag_name("c")).and_then(|node| node.text());
        assert_eq!(text, Some("</script><!--]]>&amp;'\"\u{fffd}\u{fffd}\u{fffd}温泉\n"), "{written}");
    }
}
