//! Form fields shared by the account calls, and their refusals.

use lantern_config::Config;
use serde_json::json;

use lantern_http::openapi::{Param, Refusal, field, refusal, text};

pub fn proof() -> Param {
    field("captcha", "Captcha proof (`captcha.php`).", text(), "")
}

pub fn new_password(config: &Config) -> Param {
    let accounts = &config.accounts;
    let schema = json!({ "type": "string", "minLength": accounts.password_min, "maxLength": accounts.password_max });
    field("pwd", "New password.", schema, "correct horse")
}

pub const REQUIRED: (&str, &str) = ("required", "a required field is empty");

pub const NO_CAPTCHA: (&str, &str) = ("captcha_required", "`captcha` is required and empty");

pub const BAD_CAPTCHA: (&str, &str) =
    ("captcha_invalid", "the proof is wrong, expired, already used, or for another form");

pub const SHORT: (&str, &str) = ("min_length", "too short; `info.bound` is the minimum");

pub const LONG: (&str, &str) = ("max_length", "too long; `info.bound` is the maximum");

pub const NO_ADDRESS: (&str, &str) = ("eml_invalid", "not a mail address");

pub const fn unreadable() -> Refusal {
    refusal(422, &[("invalid", "a field has the wrong type")])
}
