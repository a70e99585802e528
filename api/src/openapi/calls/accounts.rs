//! Signing up and in, and the account itself.

use lantern_config::Config;
use serde_json::{Value, json};

use crate::{
    account::{confirm::LinkAnswer, login::LoginAnswer, show::AccountAnswer},
    http::private::Done,
    openapi::{
        Doc,
        errors::{Refusal, refusal, too_often},
        params::{Param, field, query},
    },
};

const TAG: &str = "account";

fn text() -> Value {
    json!({ "type": "string" })
}

fn captcha() -> Param {
    field("captcha", "Proof that people send the form (`captcha.php`).", text(), "")
}

fn new_password(config: &Config) -> Param {
    let accounts = &config.accounts;
    let schema = json!({ "type": "string", "minLength": accounts.password_min, "maxLength": accounts.password_max });
    field("pwd", "The password to be set.", schema, "correct horse")
}

const REQUIRED: (&str, &str) = ("required", "a field that must be there is empty");
const NO_CAPTCHA: (&str, &str) = ("captcha_required", "`captcha` is empty and must not be");
const BAD_CAPTCHA: (&str, &str) = ("captcha_invalid", "the proof is wrong, too old, used already, or of another form");
const SHORT: (&str, &str) = ("min_length", "too short; `info.bound` is the shortest");
const LONG: (&str, &str) = ("max_length", "too long; `info.bound` is the longest");
const NO_ADDRESS: (&str, &str) = ("eml_invalid", "no mail address");

const fn unreadable() -> Refusal {
    refusal(422, &[("invalid", "a field that can't be read as what it is")])
}

/// `login.php`
#[must_use]
pub fn login(_: &Config) -> Doc {
    Doc::post(TAG, "login", "/api/login.php", "Sign in")
        .about("By name or mail address. An unknown name and a wrong password are one answer. Sets the session's cookie; the session that the browser had ends.")
        .field(field("usr", "Name or mail address.", text(), "demo").required())
        .field(field("pwd", "Password.", text(), "lantern-demo").required())
        .field(captcha())
        .answers::<LoginAnswer>("Signed in.")
        .refuses(refusal(401, &[("invalid_usr_or_pwd", "no such account, or another password")]))
        .refuses(refusal(
            403,
            &[
                ("not_confirmed", "the password is right; the mail address is yet to be confirmed, and another mail was sent"),
                ("account_banned", "the password is right; the member is banned"),
            ],
        ))
        .refuses(refusal(422, &[REQUIRED, NO_CAPTCHA, BAD_CAPTCHA]))
        .refuses(too_often())
}

/// `logout.php`
#[must_use]
pub fn logout(_: &Config) -> Doc {
    Doc::post(TAG, "logout", "/api/logout.php", "Sign out")
        .about("Ends the session and sets the cookie `logout=1`. Without a session nothing ends.")
        .answers::<Done>("Nobody is signed in any more.")
}

/// `signup.php`
#[must_use]
pub fn signup(config: &Config) -> Doc {
    let name = json!({ "type": "string", "minLength": 3, "maxLength": 20, "pattern": "^[A-Za-z0-9_-]*$" });
    Doc::post(TAG, "signup", "/api/signup.php", "Make an account")
        .about("A mail is sent whose link confirms the address; nobody can sign in before.")
        .field(field("usr", "Name: letters, digits, `_` and `-`.", name, "mika").required())
        .field(field("eml", "Mail address.", text(), "mika@members.example").required())
        .field(new_password(config).required())
        .field(field("agree18", "Whoever signs up is 18 or older.", json!({ "type": "boolean" }), true).required())
        .field(captcha())
        .answers::<Done>("The mail is on its way.")
        .refuses(refusal(
            409,
            &[("usr_occupied", "somebody has this name"), ("eml_occupied", "somebody has this mail address")],
        ))
        .refuses(refusal(
            422,
            &[
                REQUIRED,
                ("agree18_required", "`agree18` is not set"),
                ("bad_symbols", "a name of other characters"),
                ("prohibited_terms", "a name with a prohibited term"),
                SHORT,
                LONG,
                NO_ADDRESS,
                NO_CAPTCHA,
                BAD_CAPTCHA,
            ],
        ))
        .refuses(unreadable())
        .refuses(too_often())
}

const DEAD_LINK: (&str, &str) = ("token_invalid", "the link doesn't work (any more)");
const USED_LINK: (&str, &str) = ("token_used", "the link was followed before, and did what it is for");

/// `confirm.php`, looked at.
#[must_use]
pub fn confirm_link(_: &Config) -> Doc {
    Doc::new(TAG, "confirm_link", "/api/confirm.php", "What a mailed link is for")
        .about("For the page that a mailed link opens. Nothing is changed, however often it is asked.")
        .takes(query("token", "What the mail's link has.", text(), "A7".repeat(21) + "A"))
        .answers::<LinkAnswer>("The link works, or did.")
        .refuses(refusal(422, &[DEAD_LINK]))
        .refuses(too_often())
}

/// `confirm.php`, followed.
#[must_use]
pub fn confirm(_: &Config) -> Doc {
    Doc::post(TAG, "confirm", "/api/confirm.php", "Do what a mailed link is for")
        .about("Confirms the address of a new account, makes another address the account's, or ends the wish for one. A link works once. No session is needed.")
        .field(field("token", "What the mail's link has.", text(), "A7".repeat(21) + "A").required())
        .answers::<Done>("It is done.")
        .refuses(refusal(409, &[("eml_occupied", "somebody else has this mail address by now")]))
        .refuses(refusal(422, &[DEAD_LINK, USED_LINK]))
        .refuses(too_often())
}

/// `restore.php`
#[must_use]
pub fn restore(_: &Config) -> Doc {
    Doc::post(TAG, "restore", "/api/restore.php", "Ask for a mail that leads to a new password")
        .field(field("eml", "The account's mail address.", text(), "mika@members.example").required())
        .field(captcha())
        .answers::<Done>("The mail is on its way.")
        .refuses(refusal(
            422,
            &[REQUIRED, NO_ADDRESS, ("eml_doesnt_exist", "no account has this address"), NO_CAPTCHA, BAD_CAPTCHA],
        ))
        .refuses(too_often())
}

/// `restore_confirm.php`
#[must_use]
pub fn restore_confirm(config: &Config) -> Doc {
    Doc::post(TAG, "restore_confirm", "/api/restore_confirm.php", "Choose a new password")
        .about("With the token of the mail's link, which works once. All sessions end.")
        .field(field("token", "What the mail's link has.", text(), "A7".repeat(21) + "A").required())
        .field(new_password(config).required())
        .answers::<Done>("The password is the new one.")
        .refuses(refusal(422, &[REQUIRED, SHORT, LONG, DEAD_LINK, USED_LINK]))
        .refuses(too_often())
}

/// `account.php`, read.
#[must_use]
pub fn account(_: &Config) -> Doc {
    Doc::new(TAG, "account", "/api/account.php", "The account and where it is signed in")
        .for_members()
        .answers::<AccountAnswer>("The account.")
}

/// `account.php`, changed.
#[must_use]
pub fn account_change(config: &Config) -> Doc {
    let act = json!({ "type": "string", "enum": ["password", "mail", "delete", "end_session", "end_other_sessions"] });
    Doc::post(TAG, "account_change", "/api/account.php", "Change the account")
        .about("`password` takes `pwd_now` and `pwd`, `mail` takes `pwd_now` and `eml`, `delete` takes `pwd_now`, `end_session` takes `session_id`. Whoever has no password must have signed in just now instead of sending `pwd_now`. After a change of password or mail all other sessions end and this one gets another cookie. A new mail address counts once the link sent to it was followed; until then a link sent to the present one ends the wish. Setting a password ends all mailed links.")
        .for_members()
        .field(field("act", "What to change.", act, "end_other_sessions").required())
        .field(field("pwd_now", "The password as it is.", text(), ""))
        .field(new_password(config))
        .field(field("eml", "The new mail address.", text(), ""))
        .field(field("session_id", "The session to end.", json!({ "type": "integer" }), ""))
        .field(field("uploads", "Whether public videos and albums are deleted with the account; otherwise they stay without a name.", json!({ "type": "boolean", "default": false }), ""))
        .field(captcha())
        .answers::<Done>("It is done.")
        .refuses(refusal(403, &[("sign_in_again", "there is no password to ask for, and the session is not new")]))
        .refuses(refusal(404, &[("session_not_found", "no session of this member")]))
        .refuses(refusal(409, &[("eml_occupied", "somebody has this mail address")]))
        .refuses(refusal(
            422,
            &[REQUIRED, ("wrong_password", "`pwd_now` is another password"), SHORT, LONG, NO_ADDRESS, NO_CAPTCHA, BAD_CAPTCHA],
        ))
        .refuses(unreadable())
        .refuses(too_often())
}

/// `account_export.php`
#[must_use]
pub fn account_export(_: &Config) -> Doc {
    let schema = json!({ "type": "object", "required": ["account"] });
    let example = json!({ "account": { "user_id": 1, "username": "demo" } });
    Doc::new(TAG, "account_export", "/api/account_export.php", "Everything the site knows of the member")
        .about("A file of JSON, table by table. Without secrets, and without what others keep to themselves.")
        .for_members()
        .answers_with("The file.", "application/json", &schema, &example)
        .refuses(too_often())
}
