//! Deletes expired and unreferenced data.

use std::time::{Duration as Span, SystemTime, UNIX_EPOCH};

use lantern_accounts::{session, token::Token};
use lantern_catalog::{
    accounts, erasure, mail_tokens,
    moderation::{consents, quarantine},
    notifications, own_albums,
    prints::{self, PicturePrint},
    profiles, sessions, uploads,
};
use lantern_errors::{ApiError, ApiResult};
use lantern_media::Error as MediaError;
use time::Duration;

use crate::state::AppState;

/// Number of member folders whose pictures are looked up per query.
const FOLDERS_PER_QUERY: usize = 500;
/// Number of album and video pictures looked up or removed per query.
const PHOTOS_PER_QUERY: usize = 500;
/// Number of pictures fingerprinted per run. This takes one core a few seconds, so that other work isn't held up.
const PICTURES_PER_RUN: i64 = 50;
/// Number of uploads removed per query.
const UPLOADS_PER_QUERY: i64 = 500;

impl AppState {
    /// Deletes expired sessions.
    pub async fn sweep_sessions(&self) -> ApiResult<()> {
        sessions::sweep(&self.pool, session::clock(&self.config, (self.now)())?).await?;
        Ok(())
    }

    /// Deletes expired mailed links.
    pub async fn sweep_links(&self) -> ApiResult<()> {
        mail_tokens::sweep(&self.pool, session::clock(&self.config, (self.now)())?.now).await?;
        Ok(())
    }

    /// Deletes notifications that are old, have been retracted, or exceed the limit per member.
    pub async fn sweep_notifications(&self) -> ApiResult<()> {
        let bounds = &self.config.notifications;
        notifications::sweep(&self.pool, bounds.keep_days, bounds.undo_seconds, bounds.max_per_member).await?;
        Ok(())
    }

    /// Deletes accounts not confirmed within `accounts.unconfirmed_days`, and releases reserved names.
    pub async fn sweep_accounts(&self) -> ApiResult<()> {
        let days = Duration::days(self.config.accounts.unconfirmed_days.into());
        let now = session::clock(&self.config, (self.now)())?.now;
        accounts::sweep_unconfirmed(&self.pool, now - days).await?;
        accounts::sweep_held_names(&self.pool, now).await?;
        Ok(())
    }

    /// Deletes picture files that no profile, album or video references and that are older than `pictures.orphan_minutes`. Such files
    /// were left behind by a node that stopped between writing the file and the row, or retained for a decision that has since been made.
    /// Returns the number of pictures.
    pub async fn sweep_pictures(&self) -> ApiResult<usize> {
        prints::release(&self.pool, self.config.albums.grace_hours).await?;
        Ok(self.sweep_pictures_of_members().await? + self.sweep_photos().await?)
    }

    /// Deletes album drafts that were not submitted within `albums.draft_days`, and pictures in albums that were deleted
    /// `albums.grace_hours` ago. Returns the number of pictures.
    pub async fn sweep_albums(&self) -> ApiResult<usize> {
        own_albums::expire_drafts(&self.pool, self.config.albums.draft_days).await?;
        let (hours, most) =
            (self.config.albums.grace_hours, i64::try_from(PHOTOS_PER_QUERY).map_err(ApiError::internal)?);
        let mut removed = 0;
        loop {
            let keys = own_albums::drop_deleted(&self.pool, hours, most).await?;
            for key in &keys {
                self.pictures.remove(key).await.map_err(ApiError::internal)?;
            }
            removed += keys.len();
            if keys.len() < PHOTOS_PER_QUERY {
                return Ok(removed);
            }
        }
    }

    /// Ends the quarantine of objects that were taken down long enough ago, and erases the texts of deleted members. Returns the number
    /// of objects released from quarantine.
    ///
    /// # Errors
    /// Fails if the catalog is unavailable.
    pub async fn sweep_quarantine(&self) -> ApiResult<u64> {
        let days = self.config.moderation.quarantine_days;
        let ended = quarantine::end_due(&self.pool, days, session::now((self.now)())?).await?;
        erasure::forget_texts(&mut *self.pool.acquire().await?).await?;
        Ok(ended)
    }

    /// Deletes copies of documents whose video or album was removed `consents.keep_days` ago. Returns the number of copies.
    ///
    /// # Errors
    /// Fails if the catalog is unavailable.
    pub async fn sweep_proofs(&self) -> ApiResult<usize> {
        Ok(consents::drop_unneeded(&self.pool, self.config.consents.keep_days, session::now((self.now)())?).await?)
    }

    async fn sweep_photos(&self) -> ApiResult<usize> {
        let (before, mut removed) = (self.orphans_before(), 0);
        for folder in self.pictures.shards().await.map_err(ApiError::internal)? {
            let old = self.pictures.old_in(&folder, before).await.map_err(ApiError::internal)?;
            for some in old.chunks(PHOTOS_PER_QUERY) {
                for key in own_albums::unnamed(&self.pool, some).await? {
                    self.pictures.remove(&key).await.map_err(ApiError::internal)?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }

    /// Fingerprints pictures that have no fingerprint yet, because they were imported or stored before fingerprints existed. Returns the
    /// number of pictures.
    pub async fn fingerprint_pictures(&self) -> ApiResult<usize> {
        let unseen = prints::unseen(&self.pool, PICTURES_PER_RUN).await?;
        for picture in &unseen {
            let print = match self.pictures.print_of(&picture.key).await {
                Ok(print) => print.unwrap_or_default(),
                // A busy machine is retried later, whereas an unreadable file would fail again.
                Err(error @ MediaError::TimedOut { .. }) => return Err(ApiError::internal(error)),
                Err(error) => {
                    tracing::error!(key = picture.key, %error, "failed to fingerprint a picture; it can't be compared with removed ones");
                    PicturePrint::default()
                }
            };
            let mut conn = self.pool.acquire().await?;
            prints::keep(&mut conn, (&picture.section, picture.object_id), &picture.key, &print).await?;
        }
        Ok(unseen.len())
    }

    fn orphans_before(&self) -> SystemTime {
        let now = UNIX_EPOCH + Span::from_secs((self.now)().unsigned_abs());
        now - Span::from_secs(60 * u64::from(self.config.pictures.orphan_minutes))
    }

    async fn sweep_pictures_of_members(&self) -> ApiResult<usize> {
        let (before, mut removed) = (self.orphans_before(), 0);
        for members in self.pictures.members().await.map_err(ApiError::internal)?.chunks(FOLDERS_PER_QUERY) {
            let (mut owners, mut keys) = (Vec::new(), Vec::new());
            for member in members {
                let old = self.pictures.older_than(*member, before).await.map_err(ApiError::internal)?;
                owners.extend(old.iter().map(|_| *member));
                keys.extend(old);
            }
            for key in profiles::unnamed(&self.pool, &owners, &keys).await? {
                self.pictures.remove(&key).await.map_err(ApiError::internal)?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Deletes uploads that have made no progress for `uploads.expire_hours`. Also deletes unreferenced files of that age, which were
    /// left behind by a node that stopped between writing the file and the row. Returns the number of uploads.
    pub async fn sweep_uploads(&self) -> ApiResult<usize> {
        let now = session::clock(&self.config, (self.now)())?.now;
        let mut gone = uploads::expire(&self.pool, now, UPLOADS_PER_QUERY).await?;
        let age = Span::from_secs(3600 * u64::from(self.config.uploads.expire_hours));
        let before = UNIX_EPOCH + Span::from_secs((self.now)().unsigned_abs()) - age;
        let mut old = self.incoming.older_than(before).await.map_err(ApiError::internal)?;
        // The folder may contain files of other programs.
        old.retain(|name| Token::parse(name).is_some());
        gone.extend(uploads::unnamed(&self.pool, &old).await?);
        for token in &gone {
            self.incoming.remove(token).await.map_err(ApiError::internal)?;
        }
        Ok(gone.len())
    }
}
