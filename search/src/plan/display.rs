//! Plans as text, for the monitor's `/explain` and the table of plans.

use std::fmt::{self, Display, Formatter};

use super::{Alternative, Condition, Origin, Plan, Token};

impl Display for Plan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let tokens = self.wanted.iter().map(|token| ("", token)).chain(self.excluded.iter().map(|token| ("-", token)));
        for (at, (sign, token)) in tokens.enumerate() {
            write!(f, "{}{sign}{token}", if at > 0 { " & " } else { "" })?;
        }
        Ok(())
    }
}

impl Display for Token {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_optional {
            return write!(f, "({})", self.text);
        }
        write!(f, "{}[", self.text)?;
        for (at, alternative) in self.alternatives.iter().enumerate() {
            write!(f, "{}{alternative}", if at > 0 { " | " } else { "" })?;
        }
        f.write_str("]")
    }
}

impl Display for Alternative {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let origin = match self.origin {
            Origin::Typed => "=",
            Origin::Form => "form ",
            Origin::Spelling => "same ",
            Origin::Label => "label ",
            Origin::Meaning => "means ",
            Origin::Reading => "read ",
            Origin::Prefix => "begins ",
            Origin::Literal => "literal ",
        };
        match &self.condition {
            Condition::Keys(keys) => write!(f, "{origin}{}", keys.join("+")),
            Condition::Category(dir) => write!(f, "{origin}category:{dir}"),
            Condition::Badge(field) => write!(f, "{origin}{field}"),
        }
    }
}
