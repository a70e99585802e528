//! Deletes picture files that no row references, and fingerprints pictures.

use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use lantern_catalog::{
    own_albums,
    prints::{self, PicturePrint},
    profiles,
};
use lantern_config::Albums;
use sqlx::PgPool;

use super::{Pictures, key_of, names, names_in, remove};
use crate::{Error, Result};

/// Number of member folders whose pictures are looked up per query.
const FOLDERS_PER_QUERY: usize = 500;
/// Number of album and video pictures looked up or removed per query.
const PHOTOS_PER_QUERY: usize = 500;
/// Number of pictures fingerprinted per run. This takes one core a few seconds, so that other work isn't held up.
const PICTURES_PER_RUN: i64 = 50;

/// Failure to sweep pictures.
#[derive(Debug, thiserror::Error)]
pub enum SweepFailure {
    /// The catalog failed.
    #[error(transparent)]
    Catalog(#[from] lantern_catalog::Error),
    /// The file system or the decoder failed.
    #[error(transparent)]
    Picture(#[from] Error),
}

/// Number of pictures, or the reason why they can't be swept.
type Swept = std::result::Result<usize, SweepFailure>;

impl Pictures {
    /// Deletes files in the media folder that no profile, album or video references and that are older than `pictures.orphan_minutes`. Such files
    /// were left behind by a node that stopped between writing the file and the row, or retained for a decision that has since been made.
    /// Returns the number of pictures.
    pub async fn sweep(&self, pool: &PgPool, albums: &Albums, now: i64) -> Swept {
        prints::release(pool, albums.grace_hours).await?;
        let minutes = Duration::from_secs(60 * u64::from(self.rules.orphan_minutes));
        let before = UNIX_EPOCH + Duration::from_secs(now.unsigned_abs()) - minutes;
        Ok(self.sweep_members(pool, before).await? + self.sweep_photos(pool, before).await?)
    }

    /// Deletes album drafts that were not submitted within `albums.draft_days`, and pictures in albums that were deleted
    /// `albums.grace_hours` ago. Returns the number of pictures.
    pub async fn sweep_albums(&self, pool: &PgPool, albums: &Albums) -> Swept {
        own_albums::expire_drafts(pool, albums.draft_days).await?;
        let mut removed = 0;
        loop {
            let keys = own_albums::drop_deleted(pool, albums.grace_hours, PHOTOS_PER_QUERY as i64).await?;
            for key in &keys {
                // The catalog schedules the removal of pictures in stores.
                remove(self.stores.root(), key).await?;
            }
            removed += keys.len();
            if keys.len() < PHOTOS_PER_QUERY {
                return Ok(removed);
            }
        }
    }

    /// Fingerprints pictures that have no fingerprint yet, because they were imported or stored before fingerprints existed. Returns the
    /// number of pictures.
    pub async fn fingerprint(&self, pool: &PgPool) -> Swept {
        let unseen = prints::unseen(pool, PICTURES_PER_RUN).await?;
        for picture in &unseen {
            let print = match self.print_of(&picture.key).await {
                Ok(print) => print.unwrap_or_default(),
                // A busy machine or an unavailable store is retried later, whereas an unreadable file would fail again.
                Err(error @ (Error::TimedOut { .. } | Error::Store(_) | Error::Group(_) | Error::Catalog(_))) => {
                    return Err(error.into());
                }
                Err(error) => {
                    tracing::error!(key = picture.key, %error, "failed to fingerprint a picture; it can't be compared with removed ones");
                    PicturePrint::default()
                }
            };
            let mut conn = pool.acquire().await.map_err(lantern_catalog::Error::from)?;
            prints::keep(&mut conn, (&picture.section, picture.object_id), &picture.key, &print).await?;
        }
        Ok(unseen.len())
    }

    async fn sweep_members(&self, pool: &PgPool, before: SystemTime) -> Swept {
        let mut removed = 0;
        for members in self.members().await?.chunks(FOLDERS_PER_QUERY) {
            let (mut owners, mut keys) = (Vec::new(), Vec::new());
            for member in members {
                let old = self.old_in(&format!("{}/{member}", names::MEMBERS), before).await?;
                owners.extend(old.iter().map(|_| *member));
                keys.extend(old);
            }
            for key in profiles::unnamed(pool, &owners, &keys).await? {
                remove(self.stores.root(), &key).await?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    async fn sweep_photos(&self, pool: &PgPool, before: SystemTime) -> Swept {
        let mut removed = 0;
        for folder in self.shards().await? {
            let old = self.old_in(&folder, before).await?;
            for some in old.chunks(PHOTOS_PER_QUERY) {
                for key in own_albums::unnamed(pool, some).await? {
                    remove(self.stores.root(), &key).await?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }

    /// Returns, in no particular order, the members who have a folder of pictures.
    async fn members(&self) -> Result<Vec<i64>> {
        let names = names_in(&self.stores.root().join(names::MEMBERS)).await?;
        Ok(names.into_iter().filter_map(|(name, _)| name.parse().ok()).collect())
    }

    /// Returns, in no particular order, the folders over which pictures for albums and videos are spread.
    async fn shards(&self) -> Result<Vec<String>> {
        let mut shards = Vec::new();
        for top in [names::ALBUMS, names::VIDEOS] {
            let names = names_in(&self.stores.root().join(top)).await?.into_iter().map(|(name, _)| name);
            shards.extend(names.filter(|name| names::is_shard(name)).map(|name| format!("{top}/{name}")));
        }
        Ok(shards)
    }

    /// Returns the keys in a folder whose files were all written before `before`.
    async fn old_in(&self, folder: &str, before: SystemTime) -> Result<Vec<String>> {
        let mut written = BTreeMap::new();
        for (file, at) in names_in(&self.stores.root().join(folder)).await? {
            let path = format!("{folder}/{file}");
            if let Some(key) = key_of(&path) {
                let last = written.entry(key.to_owned()).or_insert(at);
                *last = at.max(*last);
            }
        }
        Ok(written.into_iter().filter(|(_, at)| *at <= before).map(|(key, _)| key).collect())
    }
}
