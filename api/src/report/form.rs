//! Validation of reports and messages to the operators.

use lantern_accounts::rules;
use lantern_catalog::reports::{About, SECTIONS};
use lantern_config::Reports;
use lantern_errors::{ApiError, FieldError};

use super::send::ReportForm;
use lantern_index::text::plain;

/// A validated report.
pub struct CheckedReport<'a> {
    pub subject: &'a str,
    pub email: &'a str,
    pub message: &'a str,
    pub page: Option<&'a str>,
    pub about: Option<About<'a>>,
}

impl<'a> CheckedReport<'a> {
    /// Validates all fields and returns every error. Members may omit the address, and the message is optional if there is a reason.
    pub fn new(settings: &Reports, sent: &'a ReportForm, on_file: Option<&'a str>) -> Result<Self, ApiError> {
        let mut wrong = Vec::new();
        let text = |field: &'a Option<String>| field.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let email = text(&sent.email).or(on_file).unwrap_or_default();
        if email.is_empty() {
            wrong.push(refused("email", "required", None));
        } else if !rules::is_address(email) || email.chars().count() > settings.max_email {
            wrong.push(refused("email", "email_invalid", None));
        }
        // Prohibited terms are allowed, because reports may have to quote them. Invisible characters alone are not a message.
        let message = text(&sent.message).filter(|text| !plain(text).is_empty()).unwrap_or_default();
        if message.is_empty() && sent.reason.is_none() {
            wrong.push(refused("message", "required", None));
        }
        let subject = text(&sent.subject).unwrap_or_default();
        let page = text(&sent.page);
        for (field, text, most) in [
            ("message", message, settings.max_message),
            ("subject", subject, settings.max_subject),
            ("ref", page.unwrap_or_default(), settings.max_ref),
        ] {
            if text.chars().count() > most {
                wrong.push(refused(field, "max_length", Some(most)));
            }
        }
        let about = about(settings, sent).unwrap_or_else(|of_about| {
            wrong.push(of_about);
            None
        });
        if wrong.is_empty() { Ok(Self { subject, email, message, page, about }) } else { Err(ApiError::Fields(wrong)) }
    }
}

fn refused(field: &'static str, code: &'static str, bound: Option<usize>) -> FieldError {
    FieldError { field, code, bound, line: None }
}

/// Validates the section, object and reason, which must be sent together.
fn about<'a>(settings: &Reports, sent: &'a ReportForm) -> Result<Option<About<'a>>, FieldError> {
    let (section, object_id, reason) = (sent.section.as_deref(), sent.object_id, sent.reason.as_deref());
    if section.is_none() && object_id.is_none() && reason.is_none() {
        return Ok(None);
    }
    let section = section.ok_or(refused("section", "required", None))?;
    let object_id = object_id.ok_or(refused("object_id", "required", None))?;
    let reason = reason.ok_or(refused("reason", "required", None))?;
    if !SECTIONS.contains(&section) {
        return Err(refused("section", "invalid", None));
    }
    if !settings.reasons.iter().any(|known| known == reason) {
        return Err(refused("reason", "invalid", None));
    }
    Ok(Some(About { section, object_id, reason }))
}
