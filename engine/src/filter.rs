//! Filters as values: built from parts, rendered once, so nothing a visitor sends can change a filter's meaning.
//!
//! ```
//! use lantern_engine::Filter;
//!
//! let filter = Filter::eq("category_dirs", "beach \"at\" night").and(Filter::ge("duration", 600));
//! assert_eq!(filter.to_string(), r#"category_dirs = "beach \"at\" night" AND duration >= 600"#);
//! ```

use std::fmt::{self, Display, Formatter, Write as _};

/// A condition on documents; its `Display` form is a Meilisearch filter expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Filter {
    /// One comparison of an attribute.
    Compare(String, Comparison, Value),
    /// The attribute has one of these values; an empty list matches nothing.
    In(String, Vec<Value>),
    /// The attribute lies between the two, both included.
    Between(String, Value, Value),
    /// The attribute is present (even as null).
    Exists(String),
    /// The attribute is `null`.
    IsNull(String),
    /// The attribute is `""`, `[]` or `{}`.
    IsEmpty(String),
    /// Every part holds; without parts, everything matches.
    All(Vec<Filter>),
    /// At least one part holds.
    Any(Vec<Filter>),
    /// The part doesn't hold.
    Not(Box<Filter>),
}

/// How an attribute compares with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
}

/// What an attribute is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Text, compared case-insensitively after normalisation.
    Text(String),
    /// An integer.
    Integer(i64),
    /// A finite number.
    Number(f64),
    /// A boolean.
    Bool(bool),
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<&String> for Value {
    fn from(value: &String) -> Self {
        Self::Text(value.clone())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

macro_rules! comparisons {
    ($($name:ident $kind:ident $sign:literal),+) => {$(
        #[doc = concat!("`attribute ", $sign, " value`")]
        pub fn $name(attribute: impl Into<String>, value: impl Into<Value>) -> Self {
            Self::Compare(attribute.into(), Comparison::$kind, value.into())
        }
    )+};
}

impl Filter {
    comparisons!(eq Equal "=", ne NotEqual "!=", gt Greater ">", ge GreaterOrEqual ">=", lt Less "<", le LessOrEqual "<=");

    /// `attribute IN [values]`; matches nothing when there are no values.
    pub fn in_<V: Into<Value>>(attribute: impl Into<String>, values: impl IntoIterator<Item = V>) -> Self {
        Self::In(attribute.into(), values.into_iter().map(Into::into).collect())
    }

    /// `low <= attribute <= high`
    pub fn between(attribute: impl Into<String>, low: impl Into<Value>, high: impl Into<Value>) -> Self {
        Self::Between(attribute.into(), low.into(), high.into())
    }

    /// The attribute is present.
    pub fn exists(attribute: impl Into<String>) -> Self {
        Self::Exists(attribute.into())
    }

    /// The attribute is `null`.
    pub fn is_null(attribute: impl Into<String>) -> Self {
        Self::IsNull(attribute.into())
    }

    /// The attribute is empty.
    pub fn is_empty(attribute: impl Into<String>) -> Self {
        Self::IsEmpty(attribute.into())
    }

    /// Everything holds; matches all documents when there are no parts.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::All(parts.into_iter().collect())
    }

    /// Something holds. Without parts it matches all documents, like an empty filter of the protocol.
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::Any(parts.into_iter().collect())
    }

    /// Both hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match self {
            Self::All(mut parts) => {
                parts.push(other);
                Self::All(parts)
            }
            first => Self::All(vec![first, other]),
        }
    }

    /// One of both holds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match self {
            Self::Any(mut parts) => {
                parts.push(other);
                Self::Any(parts)
            }
            first => Self::Any(vec![first, other]),
        }
    }

    /// This doesn't hold.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "reads as the filter's own NOT; `!filter` works too")]
    pub fn not(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// Whether the rendered filter is empty, that is, matches every document.
    pub fn matches_everything(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().all(Self::matches_everything),
            _ => false,
        }
    }

    /// The expression, or `None` where it would be empty: what a search's `filter` parameter takes.
    pub fn to_expression(&self) -> Option<String> {
        (!self.matches_everything()).then(|| self.to_string())
    }

    fn join(parts: &[Self], word: &str, f: &mut Formatter<'_>) -> fmt::Result {
        let mut parts = parts.iter().filter(|part| !part.matches_everything()).peekable();
        while let Some(part) = parts.next() {
            part.write_operand(f)?;
            if parts.peek().is_some() {
                write!(f, " {word} ")?;
            }
        }
        Ok(())
    }

    /// Writes the filter so that it can stand beside AND, OR or NOT.
    fn write_operand(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(_) | Self::Any(_) => write!(f, "({self})"),
            _ => write!(f, "{self}"),
        }
    }
}

impl std::ops::Not for Filter {
    type Output = Self;

    fn not(self) -> Self {
        Self::Not(Box::new(self))
    }
}

impl Display for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compare(attribute, comparison, value) => {
                write!(f, "{} {} {value}", Attribute(attribute), comparison.sign())
            }
            Self::In(attribute, values) => {
                write!(f, "{} IN [", Attribute(attribute))?;
                for (i, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if i == 0 { "" } else { ", " })?;
                }
                f.write_char(']')
            }
            Self::Between(attribute, low, high) => write!(f, "{} {low} TO {high}", Attribute(attribute)),
            Self::Exists(attribute) => write!(f, "{} EXISTS", Attribute(attribute)),
            Self::IsNull(attribute) => write!(f, "{} IS NULL", Attribute(attribute)),
            Self::IsEmpty(attribute) => write!(f, "{} IS EMPTY", Attribute(attribute)),
            Self::All(parts) => Self::join(parts, "AND", f),
            Self::Any(parts) => Self::join(parts, "OR", f),
            // "Not everything" has no expression of its own; no document's attribute is in an empty list.
            Self::Not(part) if part.matches_everything() => f.write_str("id IN []"),
            Self::Not(part) => {
                f.write_str("NOT ")?;
                part.write_operand(f)
            }
        }
    }
}

impl Comparison {
    fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write_quoted(text, f),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Bool(value) => write!(f, "{value}"),
        }
    }
}

/// An attribute's name: bare when it is a plain word, quoted otherwise.
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

/// Double quotes around `text`; quotes and backslashes inside get a backslash, which the parser takes away again.
fn write_quoted(text: &str, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests;
