//! What forms need and where they are sent that are not about an account.

use lantern_catalog::reports::SECTIONS;
use lantern_config::Config;
use serde_json::json;

use crate::{
    account::{
        captcha::{Challenge, Purpose},
        openid::login::LoginLink,
    },
    http::private::Done,
    openapi::{
        Doc,
        errors::{invalid, refusal, too_often},
        params::{field, id_schema, query},
    },
};

/// `login.g.php`
#[must_use]
pub fn login_google(_: &Config) -> Doc {
    Doc::new("account", "login_google", "/api/login.g.php", "The way to sign in with Google")
        .about("Sets a cookie that must come back with the visitor. OpenID Connect with state, nonce and PKCE.")
        .takes(query(
            "agree18",
            "`1` where the visitor was told that setting out says to be 18 or older: sets the gate's cookie, too.",
            json!({ "type": "integer", "enum": [1] }),
            "1",
        ))
        .answers::<LoginLink>("Where to go.")
        .refuses(refusal(422, &[("invalid", "`agree18` is there and not 1")]))
        .refuses(refusal(404, &[("not_configured", "no provider is configured")]))
}

/// `login.g.callback`
#[must_use]
pub fn login_google_callback(_: &Config) -> Doc {
    let text = json!({ "type": "string" });
    Doc::new("account", "login_google_callback", "/api/login.g.callback", "Where Google sends visitors back to")
        .about(
            "Signs the visitor in and leads to `/`, or to `/signin/?error=` with `openid_failed`, `openid_cancelled`, \
             `openid_mail_unverified`, `openid_mail_untrusted`, `openid_occupied`, `account_banned`, or `agree18_required` where somebody new agreed \
             neither at the age gate nor on setting out (cookie `age_agreed`).",
        )
        .takes(query("state", "Names the attempt.", text.clone(), "x"))
        .takes(query("code", "What the provider gives a token for.", text.clone(), "x"))
        .takes(query("error", "What went wrong there.", text, "access_denied"))
        .redirects("Signed in, or not.", "/")
        .refuses(refusal(404, &[("not_configured", "no provider is configured")]))
}

/// `captcha.php`
#[must_use]
pub fn captcha(_: &Config) -> Doc {
    let purposes = Purpose::ALL.map(Purpose::as_str);
    Doc::new("account", "captcha", "/api/captcha.php", "What a browser needs to prove that it is no robot")
        .about(
            "With `altcha` the proof is the number whose SHA-256, after the salt, is the challenge; the field `captcha` is \
             the base64 of `{algorithm, challenge, number, salt, signature}`. With other providers it is their token. A \
             proof is good for one form and once.",
        )
        .takes(query("for", "The form.", json!({ "type": "string", "enum": purposes }), "signup").required())
        .answers::<Challenge>("The challenge.")
        .refuses(refusal(422, &[("required", "`for` is not there")]))
        .refuses(invalid())
        .refuses(too_often())
}

/// `report.php`
#[must_use]
pub fn report(config: &Config) -> Doc {
    let settings = &config.reports;
    let text = |most: usize| json!({ "type": "string", "maxLength": most });
    let sections = json!({ "type": "string", "enum": SECTIONS });
    let reasons = json!({ "type": "string", "enum": settings.reasons });
    Doc::post("actions", "report", "/api/report.php", "Write to us, or report an object")
        .about(
            "`section`, `object_id` and `reason` go together. A member may leave `email` and `captcha` out. The same report \
             again is taken but counts once. Several reports of weight hide an object until a person has looked.",
        )
        .field(field("subject", "What it is about.", text(settings.max_subject), "A wrong title"))
        .field(field("email", "Where an answer goes.", text(settings.max_email), "reader@mail.example"))
        .field(field("message", "What you want to say.", text(settings.max_message), "The title is another film's."))
        .field(field("captcha", "Proof for `report`.", json!({ "type": "string" }), ""))
        .file("file", "A picture: JPEG, PNG, WebP or GIF.")
        .field(field("ref", "Page the form is on.", text(settings.max_ref), "/videos/1/"))
        .field(field("section", "What kind of object.", sections, "video"))
        .field(field("object_id", "Its id.", id_schema(), 1))
        .field(field("reason", "Why.", reasons, "broken"))
        .answers::<Done>("It will be read.")
        .refuses(refusal(
            404,
            &[
                ("video_not_found", "no such video"),
                ("album_not_found", "no such album"),
                ("model_not_found", "no such model"),
                ("channel_not_found", "no such channel"),
                ("playlist_not_found", "no such playlist"),
                ("member_not_found", "no such member"),
                ("comment_not_found", "no such comment"),
                ("wall_not_found", "no such entry of a wall"),
                ("message_not_found", "no such message to you"),
            ],
        ))
        .refuses(refusal(
            422,
            &[
                ("required", "a field is empty"),
                ("max_length", "a text is too long"),
                ("email_invalid", "`email` is no address"),
                ("file_invalid_type", "`file` is no picture that can be read"),
                ("file_too_large", "`file` has too many bytes or pixels"),
                ("captcha_required", "`captcha` is empty"),
                ("captcha_invalid", "the proof is wrong, too old, used, or for another form"),
            ],
        ))
        .refuses(invalid())
        .refuses(too_often())
}
