//! `POST /api/signup.php`: makes an account whose address is yet to be confirmed.

use axum::{
    extract::{FromRef, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use lantern_catalog::{
    accounts::{self, OccupiedField},
    mail_tokens::Purpose,
};
use lantern_config::Config;
use lantern_index::text::TermList;
use lantern_ratelimit::{Action, Key};
use serde::Deserialize;
use serde_json::json;

use crate::{
    account::{
        captcha,
        fields::{BAD_CAPTCHA, LONG, NO_ADDRESS, NO_CAPTCHA, REQUIRED, SHORT, new_password, proof, text, unreadable},
        links::{self, LinkMailer, Recipient},
        rules, session,
    },
    http::{ApiError, ApiResult, Client, Done, FieldError, Form, private},
    openapi::{Doc, field, refusal, too_often},
    state::AppState,
};

#[derive(Deserialize)]
pub struct Signup {
    #[serde(default)]
    usr: String,
    #[serde(default)]
    eml: String,
    #[serde(default)]
    pwd: String,
    #[serde(default)]
    agree18: bool,
    #[serde(default)]
    captcha: String,
}

pub fn doc(config: &Config) -> Doc {
    let name = json!({ "type": "string", "minLength": 3, "maxLength": 20, "pattern": "^[A-Za-z0-9_-]*$" });
    Doc::post("account", "signup", "/api/signup.php", "Make an account")
        .about("A mail is sent whose link confirms the address; nobody can sign in before.")
        .field(field("usr", "Name: letters, digits, `_` and `-`.", name, "mika").required())
        .field(field("eml", "Mail address.", text(), "mika@members.example").required())
        .field(new_password(config).required())
        .field(field("agree18", "Whoever signs up is 18 or older.", json!({ "type": "boolean" }), true).required())
        .field(proof())
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

pub async fn signup(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    Form(form): Form<Signup>,
) -> ApiResult<Response> {
    check(&state.config, &state.prohibited, &form)?;
    let taken = state.limits.take(Action::Signup, &Key::client(&client.key)).await?;
    if let Err(refused) = state.captcha.verify(captcha::Purpose::Signup, &form.captcha, client.address).await {
        taken.give_back().await?;
        return Err(refused);
    }
    if let Some(occupied) = accounts::occupied(&state.pool, &form.usr, &form.eml).await? {
        return Err(conflict(occupied));
    }
    let hash = state.passwords.hash(form.pwd).await?;
    let mut transaction = state.pool.begin().await?;
    let made = accounts::sign_up(&mut transaction, &form.usr, &form.eml, &hash, session::now((state.now)())?).await;
    let user_id = made.map_err(|error| OccupiedField::of(&error).map_or_else(|| error.into(), conflict))?;
    let reader = Recipient { user_id, username: &form.usr, lang: links::lang(&headers) };
    LinkMailer::from_ref(&state).confirm(&mut transaction, &reader, &form.eml, Purpose::Confirm).await?;
    transaction.commit().await?;
    state.mailer.wake();
    Ok(private::done())
}

fn check(config: &Config, prohibited: &TermList, form: &Signup) -> ApiResult<()> {
    let adult =
        if form.agree18 { Ok(()) } else { Err(FieldError { field: "agree18", code: "agree18_required", bound: None }) };
    let name = rules::public_name(&form.usr, prohibited);
    rules::all([name, rules::email(&form.eml), rules::password(&form.pwd, &config.accounts), adult])
}

fn conflict(occupied: OccupiedField) -> ApiError {
    let (field, code) = match occupied {
        OccupiedField::Username => ("usr", "usr_occupied"),
        OccupiedField::Email => ("eml", "eml_occupied"),
    };
    ApiError::Refused { status: StatusCode::CONFLICT, code, field: Some(field), info: None }
}
