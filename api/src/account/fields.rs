//! Fields that several forms of an account have, and what they are refused with.

use lantern_config::Config;
use serde_json::{Value, json};

use lantern_http::openapi::{Param, Refusal, field, refusal};

pub fn text() -> Value {
    json!({ "type": "string" })
}

pub fn proof() -> Param {
    field("captcha", "Proof that people send the form (`captcha.php`).", text(), "")
}

pub fn new_password(config: &Config) -> Param {
    let accounts = &config.accounts;
    let schema = json!({ "type": "string", "minLength": accounts.password_min, "maxLength": accounts.password_max });
    field("pwd", "The password to be set.", schema, "correct horse")
}

pub const REQUIRED: (&str, &str) = ("required", "a field that must be there is empty");

pub const NO_CAPTCHA: (&str, &str) = ("captcha_required", "`captcha` is empty and must not be");

pub const BAD_CAPTCHA: (&str, &str) =
    ("captcha_invalid", "the proof is wrong, too old, used already, or of another form");

pub const SHORT: (&str, &str) = ("min_length", "too short; `info.bound` is the shortest");

pub const LONG: (&str, &str) = ("max_length", "too long; `info.bound` is the longest");

pub const NO_ADDRESS: (&str, &str) = ("eml_invalid", "no mail address");

pub const fn unreadable() -> Refusal {
    refusal(422, &[("invalid", "a field that can't be read as what it is")])
}

pub const DEAD_LINK: (&str, &str) = ("token_invalid", "the link doesn't work (any more)");

pub const USED_LINK: (&str, &str) = ("token_used", "the link was followed before, and did what it is for");
