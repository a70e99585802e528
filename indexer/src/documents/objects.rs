//! Rows of objects and their conversion to documents.

use std::collections::HashSet;

use lantern_catalog::documents::{
    albums::{self, AlbumRow},
    captions::{self, CaptionsRow},
    categories::{self, CategoryRow},
    members::{self, MemberRow},
    models::{self, ModelRow},
    playlists::{self, PlaylistRow},
    videos::{self, VideoRow},
};
use lantern_index::IndexName;
use sqlx::PgConnection;

use super::{Built, Spellings, suggestions};
use crate::Error;

/// Catalog rows for one index. Converting thousands of them is slow and must run on a blocking thread.
pub enum Objects {
    Videos(Vec<VideoRow>),
    Albums(Vec<AlbumRow>),
    Models(Vec<ModelRow>),
    Categories(Vec<CategoryRow>),
    Playlists(Vec<PlaylistRow>),
    Members(Vec<MemberRow>),
    Captions(Vec<CaptionsRow>),
    /// The index has no document per row.
    None,
}

impl Objects {
    pub async fn read(index: IndexName, conn: &mut PgConnection, ids: &[i64]) -> Result<Self, Error> {
        Ok(match index {
            IndexName::Videos => Self::Videos(videos::rows(conn, ids).await?),
            IndexName::Albums => Self::Albums(albums::rows(conn, ids).await?),
            IndexName::Models => Self::Models(models::rows(conn, ids).await?),
            IndexName::Categories => Self::Categories(categories::rows(conn, ids).await?),
            IndexName::Playlists => Self::Playlists(playlists::rows(conn, ids).await?),
            IndexName::Members => Self::Members(members::rows(conn, ids).await?),
            IndexName::Captions => Self::Captions(captions::rows(conn, ids).await?),
            IndexName::Suggestions | IndexName::Charts => Self::None,
        })
    }

    /// Converts the rows that are visible to guests. Returns the documents and the rows' ids.
    pub fn documents(self, spelled: &mut Spellings) -> Result<(Built, HashSet<i64>), Error> {
        let (mut built, mut seen) = (Built::default(), HashSet::new());
        match self {
            Self::Videos(rows) => {
                for row in rows.into_iter().filter(|row| row.columns.visible) {
                    seen.insert(row.columns.id);
                    built.push(&super::videos::from_row(row, spelled))?;
                }
            }
            Self::Albums(rows) => {
                for row in rows.into_iter().filter(|row| row.columns.visible) {
                    seen.insert(row.columns.id);
                    built.push(&super::albums::from_row(row, spelled))?;
                }
            }
            Self::Models(rows) => {
                for row in rows {
                    seen.insert(row.id);
                    suggestions::model(&row, &mut built)?;
                    built.push(&super::models::from_row(row))?;
                }
            }
            Self::Categories(rows) => {
                for row in rows {
                    seen.insert(row.id);
                    suggestions::category(&row, &mut built)?;
                    built.push(&super::categories::from_row(row))?;
                }
            }
            Self::Playlists(rows) => {
                for row in rows.into_iter().filter(|row| row.visible) {
                    seen.insert(row.id);
                    built.push(&super::playlists::from_row(row))?;
                }
            }
            Self::Members(rows) => {
                for row in rows.into_iter().filter(|row| row.visible) {
                    seen.insert(row.id);
                    built.push(&super::members::from_row(row))?;
                }
            }
            Self::Captions(rows) => {
                for row in rows {
                    seen.insert(row.video_id);
                    for passage in super::captions::from_row(&row, spelled) {
                        built.push(&passage)?;
                    }
                }
            }
            Self::None => {}
        }
        Ok((built, seen))
    }
}
