//! Configured limits in the app's boot data. The app checks them itself or shows them to people.

use lantern_accounts::rules::NAME;
use lantern_config::Config;
use lantern_media::pictures::PICTURE_TYPES;
use serde::Serialize;

/// Minimum and maximum number of characters in a text.
#[derive(Serialize)]
struct Bounds {
    min: usize,
    max: usize,
}

/// Configured limits (`web/src/lib/limits.ts`). Limits that only one screen needs are in the answer to that screen's call.
#[derive(Serialize)]
pub struct PageLimits<'a> {
    /// Maximum number of categories by which a list can be filtered. The same maximum applies to models and so on.
    names: usize,
    search: Bounds,
    /// Number of related videos per results page.
    related: u32,
    comment: Bounds,
    message: Bounds,
    playlist_title: Bounds,
    playlist_description: Bounds,
    username: Bounds,
    password_min: usize,
    /// Number of seconds for which mailed links are valid, both those to confirm an address and those to restore access to an account.
    confirm_seconds: u32,
    restore_seconds: u32,
    report: ReportLimits<'a>,
    /// Maximum size of a picture in a form, in bytes.
    picture_bytes: usize,
    /// Accepted media types of pictures.
    picture_types: [&'static str; PICTURE_TYPES.len()],
    /// Maximum number of categories that may be muted. The same maximum applies to models, to members, and to videos excluded as watched.
    mutes: u32,
    watched: u32,
    saved_searches: u32,
    saved_name: usize,
    /// Number of days until a deleted video is re-added: the default, and the maximum.
    readd_days: [u32; 2],
    /// Range in which a video is resumed: from this second, up to this percentage.
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
