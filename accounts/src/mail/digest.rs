//! Digest mails with notifications, for members who have turned them on.

use lantern_catalog::{
    digests::{self, DueDigest},
    queue,
};
use lantern_config::{Config, Lang, MailKind};
use lantern_errors::ApiResult;
use sqlx::PgPool;

use super::{Mail, Mailer};

/// Queues the digests that are due. Each is queued exactly once, because the transaction that claims them also queues
/// them.
pub async fn send_digests(pool: &PgPool, config: &Config, mailer: &Mailer) -> ApiResult<()> {
    // Digests must not delay mails with links, and must not be queued while mails cannot be sent.
    if queue::waiting(pool, queue::MAIL).await? > 0 {
        return Ok(());
    }
    let most = config.notifications.digests_at_once.into();
    let mut transaction = pool.begin().await?;
    for due in digests::take(&mut transaction, most).await? {
        if due.unread > 0 {
            mailer.queue(&mut transaction, &mail(due)).await?;
        }
    }
    transaction.commit().await?;
    mailer.wake();
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
