//! Filter expressions. They are built from parts and rendered once, so that visitors' input cannot change a filter's meaning. Texts are
//! trimmed and compared case-insensitively. The engine rejects texts longer than 468 bytes.
//!
//! ```
//! use lantern_index::Filter;
//!
//! let filter = Filter::eq("category_dirs", "beach \"at\" night").and(Filter::ge("duration", 600));
//! assert_eq!(filter.to_string(), r#"category_dirs = "beach \"at\" night" AND duration >= 600"#);
//! ```

mod render;
mod value;

pub use value::{Comparison, Value};

/// Condition on documents. Its `Display` output is a Meilisearch filter expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Filter {
    /// Comparison of an attribute with a value.
    Compare(String, Comparison, Value),
    /// The attribute equals one of these values. An empty list matches nothing.
    In(String, Vec<Value>),
    /// The attribute lies between the two values, inclusive.
    Between(String, Value, Value),
    /// The attribute is present (even as null).
    Exists(String),
    /// The attribute is `null`.
    IsNull(String),
    /// The attribute is `""`, `[]` or `{}`.
    IsEmpty(String),
    /// All parts match. Without parts, everything matches.
    All(Vec<Filter>),
    /// At least one part matches. Without parts, nothing matches.
    Any(Vec<Filter>),
    /// The part doesn't match.
    Not(Box<Filter>),
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

    /// `attribute IN [values]`. Without values, it matches nothing.
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

    /// Matches if all parts match. Without parts, it matches everything.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::All(parts.into_iter().collect())
    }

    /// Matches if any part matches. Without parts, it matches nothing.
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::Any(parts.into_iter().collect())
    }

    /// Matches if both do.
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

    /// Matches if either does.
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

    /// Matches if `self` doesn't.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "reads as the filter's own NOT; `!filter` works too")]
    pub fn not(self) -> Self {
        Self::Not(Box::new(self))
    }
}

impl std::ops::Not for Filter {
    type Output = Self;

    fn not(self) -> Self {
        Self::Not(Box::new(self))
    }
}
