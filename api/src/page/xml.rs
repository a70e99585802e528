//! XML for other programs: sitemaps, feeds and oEmbed.

use std::borrow::Cow;

use quick_xml::{
    Writer,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event},
};

/// A document or a part of one, as it is written.
pub struct Xml(Writer<Vec<u8>>);

type Attributes<'a> = &'a [(&'a str, &'a str)];

impl Xml {
    /// A part of a document.
    pub fn part() -> Self {
        Self(Writer::new(Vec::new()))
    }

    pub fn document() -> Self {
        let mut xml = Self::part();
        xml.write(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        xml
    }

    /// An element and what is in it.
    pub fn element(&mut self, name: &str, attributes: Attributes<'_>, content: impl FnOnce(&mut Self)) {
        self.open(name, attributes);
        content(self);
        self.close(name);
    }

    /// An element of nothing but text.
    pub fn text(&mut self, name: &str, text: &str) {
        self.text_with(name, &[], text);
    }

    /// The same with attributes.
    pub fn text_with(&mut self, name: &str, attributes: Attributes<'_>, text: &str) {
        self.element(name, attributes, |xml| xml.write(Event::Text(BytesText::new(&legal(text)))));
    }

    /// An element without content.
    pub fn empty(&mut self, name: &str, attributes: Attributes<'_>) {
        self.write(Event::Empty(start(name, attributes)));
    }

    /// The beginning of an element whose end comes in another part.
    pub fn open(&mut self, name: &str, attributes: Attributes<'_>) {
        self.write(Event::Start(start(name, attributes)));
    }

    /// The end of an element.
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

/// The text without what no XML document may hold, not even escaped.
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
    fn text_can_not_become_markup() {
        let hostile = "</script><!--]]>&amp;'\"\u{0}\u{8}\u{ffff}温泉\n";
        let mut xml = Xml::document();
        xml.element("a", &[("b", hostile)], |xml| xml.text("c", hostile));
        let written = String::from_utf8(xml.into_bytes()).expect("UTF-8");
        let read = roxmltree::Document::parse(&written).expect(&written);
        let text = read.descendants().find(|node| node.has_tag_name("c")).and_then(|node| node.text());
        assert_eq!(text, Some("</script><!--]]>&amp;'\"\u{fffd}\u{fffd}\u{fffd}温泉\n"), "{written}");
    }
}
