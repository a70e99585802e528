//! Checks a filter before milli parses it. Its shape is checked so that errors match the protocol, and the length of its values because
//! longer ones cannot be keys in the facet database.

use milli_core as milli;
use milli_core::{Condition, FilterCondition, MAX_FACET_VALUE_LENGTH, Token, UserError, normalize_facet};
use serde_json::Value;

/// Refuses a filter that isn't an expression, a list of expressions or a list of such lists. Refuses values that are too long.
pub fn check(filter: &Value) -> milli::Result<()> {
    check_shape(filter, &["String", "Array"])
}

fn check_shape(filter: &Value, expected: &[&str]) -> milli::Result<()> {
    match filter {
        Value::String(expression) => check_expression(expression),
        Value::Array(parts) if expected.contains(&"Array") => {
            parts.iter().try_for_each(|part| check_shape(part, &["String", "[String]"]))
        }
        Value::Array(parts) if expected.contains(&"[String]") => {
            parts.iter().try_for_each(|part| check_shape(part, &["String"]))
        }
        other => {
            let expected = expected.join(", ");
            let message = format!("Invalid syntax for the filter parameter: `expected {expected}, found: {other}`.");
            Err(UserError::InvalidFilter(message).into())
        }
    }
}

fn check_expression(text: &str) -> milli::Result<()> {
    // Normalization never lengthens ASCII text, so short ASCII filters need no parsing.
    if text.len() <= MAX_FACET_VALUE_LENGTH && text.is_ascii() {
        return Ok(());
    }
    match FilterCondition::parse(text) {
        Ok(Some(condition)) => check_condition(&condition),
        // milli's parser reports syntax errors later.
        Ok(None) | Err(_) => Ok(()),
    }
}

fn check_condition(condition: &FilterCondition<'_>) -> milli::Result<()> {
    match condition {
        FilterCondition::Not(part) => check_condition(part),
        FilterCondition::And(parts) | FilterCondition::Or(parts) => parts.iter().try_for_each(check_condition),
        FilterCondition::In { fid, els } => els.iter().try_for_each(|text| check_text(fid, text)),
        FilterCondition::Condition { fid, op } => match op {
            Condition::Between { from, to } => check_text(fid, from).and_then(|()| check_text(fid, to)),
            Condition::GreaterThan(text)
            | Condition::GreaterThanOrEqual(text)
            | Condition::Equal(text)
            | Condition::NotEqual(text)
            | Condition::LowerThan(text)
            | Condition::LowerThanOrEqual(text) => check_text(fid, text),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

fn check_text(attribute: &Token<'_>, text: &Token<'_>) -> milli::Result<()> {
    if normalize_facet(text.value()).len() <= MAX_FACET_VALUE_LENGTH {
        return Ok(());
    }
    let beginning: String = text.value().chars().take(30).collect();
    let message = format!(
        "The value `{beginning}…` of the attribute `{}` is longer than {MAX_FACET_VALUE_LENGTH} bytes, the most a filter can \
         compare.",
        attribute.value()
    );
    Err(UserError::InvalidFilter(message).into())
}
