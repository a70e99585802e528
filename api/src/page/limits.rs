//! The numbers of the configuration that the app checks by itself or says to people, in its start values.

use lantern_config::Config;
use lantern_media::pictures::PICTURE_TYPES;
use serde::Serialize;

use crate::account::rules::NAME;

/// Fewest and most characters of a text.
#[derive(Serialize)]
struct Bounds {
    min: usize,
    max: usize,
}

/// What the operator configured (`web/src/lib/limits.ts`). What one screen alone needs comes with that screen's own call.
#[derive(Serialize)]
pub struct PageLimits<'a> {
    /// Categories, models and so on of a list chosen at once, each.
    names: usize,
    search: Bounds,
    /// Related videos of a page.
    related: u32,
    comment: Bounds,
    message: Bounds,
    playlist_title: Bounds,
    playlist_description: Bounds,
    username: Bounds,
    password_min: usize,
    /// Seconds that the links of mails work which confirm an address, and which open an account without its password.
    confirm_seconds: u32,
    restore_seconds: u32,
    report: ReportLimits<'a>,
    /// The largest picture a form may hold, in bytes.
    picture_bytes: usize,
    /// Media types of pictures.
    picture_types: [&'static str; PICTURE_TYPES.len()],
    /// Categories, models and members that may be muted, each; and videos that are left out as watched.
    mutes: u32,
    watched: u32,
    saved_searches: u32,
    saved_name: usize,
    /// Days until a deleted video comes back: usually, and at most.
    readd_days: [u32; 2],
    /// The second from which on a video is gone on with, and the per cent up to which.
    resume: [i32; 2],
}

#[derive(Serialize)]
struct ReportLimits<'a> {
    message: usize,
    subject: usize,
    #[serde(rename = "ref")]
    page: usize,
    reasons: &'a [String],
}

impl<'a> PageLimits<'a> {
    pub fn of(config: &'a Config) -> Self {
        let (listing, playlists, area) = (&config.listing, &config.playlists, &config.member_area);
        let (accounts, reports) = (&config.accounts, &config.reports);
        Self {
            names: listing.max_categories,
            search: Bounds { min: listing.search_min, max: listing.search_max },
            related: listing.related_page(),
            comment: Bounds { min: config.comments.min_length, max: config.comments.max_length },
            message: Bounds { min: 1, max: area.message_max },
            playlist_title: Bounds { min: playlists.title_min, max: playlists.title_max },
            playlist_description: Bounds { min: playlists.description_min, max: playlists.description_max },
            username: Bounds { min: *NAME.start(), max: *NAME.end() },
            password_min: accounts.password_min,
            confirm_seconds: accounts.confirm_seconds,
            restore_seconds: accounts.restore_seconds,
            report: ReportLimits {
                message: reports.max_message,
                subject: reports.max_subject,
                page: reports.max_ref,
                reasons: &reports.reasons,
            },
            picture_bytes: config.pictures.max_bytes,
            picture_types: PICTURE_TYPES,
            mutes: config.mutes.per_kind,
            watched: config.mutes.watched,
            saved_searches: area.saved_searches,
            saved_name: area.saved_name_max,
            readd_days: [area.readd_days, area.readd_days_max],
            resume: [area.resume_from, area.resume_until],
        }
    }
}
