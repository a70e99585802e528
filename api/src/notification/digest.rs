//! Mails that sum up what members were told of, for those who asked for them.

use lantern_catalog::{
    digests::{self, DueDigest},
    mail_queue,
};
use lantern_config::{Lang, MailKind};

use crate::{account::mail::Mail, http::ApiResult, state::AppState};

/// Queues the mails that are due, each exactly once: they are queued in the transaction that takes their turn.
pub async fn send_digests(state: &AppState) -> ApiResult<()> {
    // Nobody's link waits behind a heap of these, and none is queued while mails can't leave.
    if mail_queue::counts(&state.pool).await?.0 > 0 {
        return Ok(());
    }
    let most = state.config.notifications.digests_at_once.into();
    let mut transaction = state.pool.begin().await?;
    for due in digests::take(&mut transaction, most).await? {
        if due.unread > 0 {
            state.mailer.queue(&mut transaction, &mail(due)).await?;
        }
    }
    transaction.commit().await?;
    state.mailer.wake();
    Ok(())
}

fn mail(due: DueDigest) -> Mail {
    let lang = due.lang.parse().unwrap_or(Lang::En);
    Mail {
        number: Some(due.unread),
        stop: Some(format!("?token={}", due.stop_token)),
        ..Mail::new(MailKind::Digest, due.email, due.username, lang)
            .with_link(format!("/members/{}/notifications/1/", due.user_id))
    }
}
