//! `POST /api/confirm_again.php`: resends the confirmation mail of a new account.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{accounts, mail_tokens::Purpose, names::NameKey};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Done, Form,
    openapi::{Doc, field, refusal, text, too_often},
    private,
};
use serde::Deserialize;

use crate::{
    calls::{
        AccountState,
        fields::{BAD_CAPTCHA, NO_CAPTCHA, REQUIRED, proof},
        restore::{count_proven, is_open},
    },
    links::Recipient,
};

#[derive(Deserialize)]
pub struct ConfirmAgain {
    #[serde(default)]
    usr: String,
    #[serde(default)]
    captcha: String,
}

pub fn doc(_: &Config) -> Doc {
    Doc::post("account", "confirm_again", "/api/confirm_again.php", "Request the confirmation mail again")
        .about(
            "The response is the same whether or not an unconfirmed account exists. Counts against the limit of password reset mails.",
        )
        .field(field("usr", "Name or mail address of the account.", text(), "mika@members.example").required())
        .field(proof())
        .answers::<Done>("If an unconfirmed account exists, the mail was sent.")
        .refuses(refusal(422, &[REQUIRED, NO_CAPTCHA, BAD_CAPTCHA]))
        .refuses(too_often())
}

pub async fn confirm_again(
    State(state): State<AccountState>,
    client: Client,
    headers: HeaderMap,
    Form(form): Form<ConfirmAgain>,
) -> ApiResult<Response> {
    if form.usr.trim().is_empty() {
        return Err(ApiError::required("usr"));
    }
    let login = NameKey::of(&form.usr);
    let account = accounts::by_login(&state.pool, &login).await?;
    let account = account.filter(|account| is_open(account) && !account.is_confirmed);
    // The same mailbox is counted whether the account was identified by name or by address.
    let mailbox = account.as_ref().map_or(login, |account| NameKey::of(&account.email));
    count_proven(&state.limits, &state.captcha, &client, &mailbox, &form.captcha).await?;
    if let Some(account) = account {
        let (mails, pool) = (state.links(), state.pool.clone());
        state.mailer.later(async move {
            let mut transaction = pool.begin().await?;
            let reader = Recipient::of(&account, &headers);
            mails.confirm(&mut transaction, &reader, &account.email, Purpose::Confirm).await?;
            Ok(transaction.commit().await?)
        });
    }
    Ok(private::done())
}
