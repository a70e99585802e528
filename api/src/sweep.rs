//! Removes what is needed no longer.

use std::time::{Duration as Span, SystemTime, UNIX_EPOCH};

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

use crate::{
    account::{session, token::Token},
    state::AppState,
};

/// Folders of members whose pictures are looked up with one query.
const FOLDERS_AT_ONCE: usize = 500;
/// Pictures of albums and videos that are looked up or removed with one query.
const PHOTOS_AT_ONCE: usize = 500;
/// Pictures that are looked at in a row: some seconds of one core, between which others have their turn.
const PICTURES_AT_ONCE: i64 = 50;
/// Uploads that are removed with one query.
const UPLOADS_AT_ONCE: i64 = 500;

impl AppState {
    /// Removes sessions whose time is over.
    pub async fn sweep_sessions(&self) -> ApiResult<()> {
        sessions::sweep(&self.pool, session::clock(&self.config, (self.now)())?).await?;
        Ok(())
    }

    /// Removes mailed links whose time is over.
    pub async fn sweep_links(&self) -> ApiResult<()> {
        mail_tokens::sweep(&self.pool, session::clock(&self.config, (self.now)())?.now).await?;
        Ok(())
    }

    /// Removes notifications that are old, were taken away, or are more than a member reads up on.
    pub async fn sweep_notifications(&self) -> ApiResult<()> {
        let bounds = &self.config.notifications;
        notifications::sweep(&self.pool, bounds.keep_days, bounds.undo_seconds, bounds.max_per_member).await?;
        Ok(())
    }

    /// Removes accounts that nobody confirmed in `accounts.unconfirmed_days`.
    pub async fn sweep_accounts(&self) -> ApiResult<()> {
        let days = Duration::days(self.config.accounts.unconfirmed_days.into());
        let now = session::clock(&self.config, (self.now)())?.now;
        accounts::sweep_unconfirmed(&self.pool, now - days).await?;
        accounts::sweep_held_names(&self.pool, now).await?;
        Ok(())
    }

    /// Removes files of pictures that no profile, no album and no video names and that are older than `pictures.orphan_minutes`: what a node
    /// left behind that ended between the disk and the row, and what was kept for a decision that is made. Returns how many pictures they were.
    pub async fn sweep_pictures(&self) -> ApiResult<usize> {
        prints::release(&self.pool, self.config.albums.grace_hours).await?;
        Ok(self.sweep_pictures_of_members().await? + self.sweep_photos().await?)
    }

    /// Deletes drafts of albums that nobody handed in for `albums.draft_days`, and removes pictures of albums that were deleted
    /// `albums.grace_hours` ago. Returns how many pictures they were.
    pub async fn sweep_albums(&self) -> ApiResult<usize> {
        own_albums::expire_drafts(&self.pool, self.config.albums.draft_days).await?;
        let (hours, most) =
            (self.config.albums.grace_hours, i64::try_from(PHOTOS_AT_ONCE).map_err(ApiError::internal)?);
        let mut removed = 0;
        loop {
            let keys = own_albums::drop_deleted(&self.pool, hours, most).await?;
            for key in &keys {
                self.pictures.remove(key).await.map_err(ApiError::internal)?;
            }
            removed += keys.len();
            if keys.len() < PHOTOS_AT_ONCE {
                return Ok(removed);
            }
        }
    }

    /// Ends the quarantine of what was taken down long enough ago, and forgets the words of what is gone with its member; how many
    /// objects are out of quarantine.
    ///
    /// # Errors
    /// The catalog is away.
    pub async fn sweep_quarantine(&self) -> ApiResult<u64> {
        let days = self.config.moderation.quarantine_days;
        let ended = quarantine::end_due(&self.pool, days, session::now((self.now)())?).await?;
        erasure::forget_texts(&mut *self.pool.acquire().await?).await?;
        Ok(ended)
    }

    /// Deletes copies of documents whose video or album has been gone for `consents.keep_days`; how many.
    ///
    /// # Errors
    /// The catalog is away.
    pub async fn sweep_proofs(&self) -> ApiResult<usize> {
        Ok(consents::drop_unneeded(&self.pool, self.config.consents.keep_days, session::now((self.now)())?).await?)
    }

    async fn sweep_photos(&self) -> ApiResult<usize> {
        let (before, mut removed) = (self.orphans_before(), 0);
        for folder in self.pictures.shards().await.map_err(ApiError::internal)? {
            let old = self.pictures.old_in(&folder, before).await.map_err(ApiError::internal)?;
            for some in old.chunks(PHOTOS_AT_ONCE) {
                for key in own_albums::unnamed(&self.pool, some).await? {
                    self.pictures.remove(&key).await.map_err(ApiError::internal)?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }

    /// Looks at pictures whose looks nobody keeps yet: those of before there were looks, and those that came by import. Returns how
    /// many they were.
    pub async fn look_at_pictures(&self) -> ApiResult<usize> {
        let unseen = prints::unseen(&self.pool, PICTURES_AT_ONCE).await?;
        for picture in &unseen {
            let print = match self.pictures.print_of(&picture.key).await {
                Ok(print) => print.unwrap_or_default(),
                // Of a busy machine more is asked later; a file that can't be read won't be readable in a minute.
                Err(error @ MediaError::TimedOut { .. }) => return Err(ApiError::internal(error)),
                Err(error) => {
                    tracing::error!(key = picture.key, %error, "a picture can't be compared with what was taken down");
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
        for members in self.pictures.members().await.map_err(ApiError::internal)?.chunks(FOLDERS_AT_ONCE) {
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

    /// Removes uploads of which nothing came for `uploads.expire_hours`, and files of that age that no row needs: what a node left
    /// behind that ended between the disk and the row, before or after the work. Returns how many uploads they were.
    pub async fn sweep_uploads(&self) -> ApiResult<usize> {
        let now = session::clock(&self.config, (self.now)())?.now;
        let mut gone = uploads::expire(&self.pool, now, UPLOADS_AT_ONCE).await?;
        let age = Span::from_secs(3600 * u64::from(self.config.uploads.expire_hours));
        let before = UNIX_EPOCH + Span::from_secs((self.now)().unsigned_abs()) - age;
        let mut old = self.incoming.older_than(before).await.map_err(ApiError::internal)?;
        // The folder may be somebody else's, too.
        old.retain(|name| Token::parse(name).is_some());
        gone.extend(uploads::unnamed(&self.pool, &old).await?);
        for token in &gone {
            self.incoming.remove(token).await.map_err(ApiError::internal)?;
        }
        Ok(gone.len())
    }
}
