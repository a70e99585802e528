//! Comparison operators and values.

use std::fmt::{self, Display, Formatter, Write as _};

/// Comparison operator.
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

/// Value that an attribute is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Text, compared case-insensitively after normalization.
    Text(String),
    /// Integer.
    Integer(i64),
    /// Finite number.
    Number(f64),
    /// Boolean.
    Bool(bool),
}

macro_rules! conversions {
    ($($from:ty => $kind:ident),+) => {$(
        impl From<$from> for Value {
            fn from(value: $from) -> Self {
                Self::$kind(value.into())
            }
        }
    )+};
}

conversions!(&str => Text, &String => Text, String => Text);
conversions!(i64 => Integer, i32 => Integer, u32 => Integer, f64 => Number, bool => Bool);

impl Comparison {
    /// Returns the operator's spelling.
    pub(super) fn sign(self) -> &'static str {
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

/// Writes `text` in double quotes, and escapes quotes and backslashes with a backslash.
pub(super) fn write_quoted(text: &str, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_char('"')
}
