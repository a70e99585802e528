//! `POST /api/signup.php`: creates an account with an unconfirmed address.

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use lantern_catalog::{
    accounts::{self, OccupiedField},
    mail_tokens::Purpose,
    names::NameKey,
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult, FieldError};
use lantern_http::{
    Client, Done, Form, cookies,
    openapi::{Doc, field, refusal, text, too_often},
    private,
};
use lantern_index::text::TermList;
use lantern_ratelimit::{Action, Key};
use serde::Deserialize;
use serde_json::json;
use time::Duration;

use crate::{
    calls::{
        AccountState,
        fields::{BAD_CAPTCHA, LONG, NO_ADDRESS, NO_CAPTCHA, REQUIRED, SHORT, new_password, proof, unreadable},
        restore::is_open,
    },
    captcha,
    links::Recipient,
    rules, session,
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
    Doc::post("account", "signup", "/api/signup.php", "Create an account")
        .about("Mails a link that confirms the address. Members can sign in only after opening it. If `accounts.disclose_addresses` is off, an address that already has an account is not refused with `eml_occupied`; its owner gets a mail instead.")
        .field(field("usr", "Name: letters, digits, `_` and `-`.", name, "mika").required())
        .field(field("eml", "Mail address.", text(), "mika@members.example").required())
        .field(new_password(config).required())
        .field(field("agree18", "Whether the person is 18 or older.", json!({ "type": "boolean" }), true).required())
        .field(proof())
        .answers::<Done>("The mail was queued.")
        .refuses(refusal(
            409,
            &[("usr_occupied", "another account has this name"), ("eml_occupied", "another account has this mail address")],
        ))
        .refuses(refusal(
            422,
            &[
                REQUIRED,
                ("agree18_required", "`agree18` is not set"),
                ("bad_symbols", "the name contains other characters than letters, digits, `_` and `-`"),
                ("prohibited_terms", "the name contains a prohibited term"),
                ("name_reserved", "the name is, or looks like, one of `accounts.reserved_names`"),
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
    State(state): State<AccountState>,
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
    // The password is hashed in every case, so that timing reveals nothing.
    let hash = state.passwords.hash(form.pwd.clone()).await?;
    match create(&state, &form, &hash, &headers).await? {
        None => {}
        Some(OccupiedField::Email) if !state.config.accounts.disclose_addresses => {
            refuse_by_mail(&state, &form, &headers).await?;
        }
        Some(occupied) => return Err(conflict(occupied)),
    }
    state.mailer.wake();
    Ok(private::done())
}

/// Creates the account and queues its confirmation mail. If the name or the address is taken, returns the name of that field.
async fn create(
    state: &AccountState,
    form: &Signup,
    hash: &str,
    headers: &HeaderMap,
) -> ApiResult<Option<OccupiedField>> {
    let now = session::now((state.now)())?;
    if let Some(occupied) = accounts::occupied(&state.pool, &form.usr, &form.eml, now).await? {
        return Ok(Some(occupied));
    }
    let mut transaction = state.pool.begin().await?;
    let user_id = match accounts::sign_up(&mut transaction, &form.usr, &form.eml, hash, now).await {
        Ok(user_id) => user_id,
        Err(error) => return OccupiedField::of(&error).map_or_else(|| Err(error.into()), |field| Ok(Some(field))),
    };
    let reader = Recipient { user_id, username: &form.usr, lang: cookies::lang(headers) };
    state.links().confirm(&mut transaction, &reader, &form.eml, Purpose::Confirm).await?;
    transaction.commit().await?;
    Ok(None)
}

/// Notifies the owner of an address that it already has an account. Reserves the name just as a new account would, so that the response
/// reveals nothing.
async fn refuse_by_mail(state: &AccountState, form: &Signup, headers: &HeaderMap) -> ApiResult<()> {
    let until = session::now((state.now)())? + Duration::days(state.config.accounts.unconfirmed_days.into());
    let owner = accounts::by_login(&state.pool, &NameKey::of(&form.eml)).await?;
    let mut transaction = state.pool.begin().await?;
    accounts::hold_name(&mut transaction, &form.usr, until).await?;
    if let Some(owner) = owner.filter(is_open) {
        state.links().already_member(&mut transaction, &owner, cookies::lang(headers)).await?;
    }
    Ok(transaction.commit().await?)
}

fn check(config: &Config, prohibited: &TermList, form: &Signup) -> ApiResult<()> {
    let adult = if form.agree18 {
        Ok(())
    } else {
        Err(FieldError { field: "agree18", code: "agree18_required", bound: None, line: None })
    };
    let name = rules::public_name(&form.usr, prohibited, &config.accounts);
    rules::all([name, rules::email(&form.eml), rules::password(&form.pwd, &config.accounts), adult])
}

fn conflict(occupied: OccupiedField) -> ApiError {
    let (field, code) = match occupied {
        OccupiedField::Username => ("usr", "usr_occupied"),
        OccupiedField::Email => ("eml", "eml_occupied"),
    };
    ApiError::Refused { status: StatusCode::CONFLICT, code, field: Some(field), info: None }
}
