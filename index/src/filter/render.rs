//! Renders filters. Constant parts are evaluated first, and the rest is written as an expression.

use std::fmt::{self, Display, Formatter};

use super::Filter;
use super::value::write_quoted;

/// Which documents a filter can match, judged by its structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Everything,
    Some,
    Nothing,
}

impl Filter {
    fn reach(&self) -> Reach {
        let has = |parts: &[Self], reach| parts.iter().any(|part| part.reach() == reach);
        let only = |parts: &[Self], reach| parts.iter().all(|part| part.reach() == reach);
        match self {
            Self::In(_, values) if values.is_empty() => Reach::Nothing,
            Self::All(parts) if has(parts, Reach::Nothing) => Reach::Nothing,
            Self::All(parts) if only(parts, Reach::Everything) => Reach::Everything,
            Self::Any(parts) if has(parts, Reach::Everything) => Reach::Everything,
            Self::Any(parts) if only(parts, Reach::Nothing) => Reach::Nothing,
            Self::Not(part) => match part.reach() {
                Reach::Everything => Reach::Nothing,
                Reach::Some => Reach::Some,
                Reach::Nothing => Reach::Everything,
            },
            _ => Reach::Some,
        }
    }

    /// Whether the filter matches any document whatsoever.
    pub fn matches_everything(&self) -> bool {
        self.reach() == Reach::Everything
    }

    /// Whether the filter can match no document.
    pub fn matches_nothing(&self) -> bool {
        self.reach() == Reach::Nothing
    }

    /// Returns the expression for a search's `filter` parameter, or `None` if every document matches.
    pub fn to_expression(&self) -> Option<String> {
        (!self.matches_everything()).then(|| self.to_string())
    }

    /// Returns the first attribute in the filter.
    fn attribute(&self) -> Option<&str> {
        match self {
            Self::Compare(attribute, ..)
            | Self::In(attribute, _)
            | Self::Between(attribute, ..)
            | Self::Exists(attribute)
            | Self::IsNull(attribute)
            | Self::IsEmpty(attribute) => Some(attribute),
            Self::All(parts) | Self::Any(parts) => parts.iter().find_map(Self::attribute),
            Self::Not(part) => part.attribute(),
        }
    }

    fn join(parts: &[Self], word: &str, f: &mut Formatter<'_>) -> fmt::Result {
        let mut parts = parts.iter().filter(|part| part.reach() == Reach::Some).peekable();
        while let Some(part) = parts.next() {
            part.write_operand(f)?;
            if parts.peek().is_some() {
                write!(f, " {word} ")?;
            }
        }
        Ok(())
    }

    /// Writes the filter as an operand of AND, OR or NOT.
    fn write_operand(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(_) | Self::Any(_) => write!(f, "({self})"),
            _ => write!(f, "{self}"),
        }
    }
}

impl Display for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.reach() {
            Reach::Everything => return Ok(()),
            // `IN []` needs a filterable attribute. Use one from the filter, or the primary key if the filter has none.
            Reach::Nothing => return write!(f, "{} IN []", Attribute(self.attribute().unwrap_or("id"))),
            Reach::Some => {}
        }
        match self {
            Self::Compare(attribute, comparison, value) => {
                write!(f, "{} {} {value}", Attribute(attribute), comparison.sign())
            }
            Self::In(attribute, values) => {
                write!(f, "{} IN [", Attribute(attribute))?;
                for (i, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Self::Between(attribute, low, high) => write!(f, "{} {low} TO {high}", Attribute(attribute)),
            Self::Exists(attribute) => write!(f, "{} EXISTS", Attribute(attribute)),
            Self::IsNull(attribute) => write!(f, "{} IS NULL", Attribute(attribute)),
            Self::IsEmpty(attribute) => write!(f, "{} IS EMPTY", Attribute(attribute)),
            Self::All(parts) => Self::join(parts, "AND", f),
            Self::Any(parts) => Self::join(parts, "OR", f),
            Self::Not(part) => {
                f.write_str("NOT ")?;
                part.write_operand(f)
            }
        }
    }
}

/// Name of an attribute. It is quoted unless it is a plain word.
struct Attribute<'a>(&'a str);

impl Display for Attribute<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const KEYWORDS: [&str; 14] = [
            "AND",
            "OR",
            "IN",
            "NOT",
            "TO",
            "EXISTS",
            "IS",
            "NULL",
            "EMPTY",
            "CONTAINS",
            "STARTS",
            "WITH",
            "_geoRadius",
            "_geoBoundingBox",
        ];
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if !self.0.is_empty() && self.0.chars().all(word) && !KEYWORDS.contains(&self.0) {
            f.write_str(self.0)
        } else {
            write_quoted(self.0, f)
        }
    }
}
