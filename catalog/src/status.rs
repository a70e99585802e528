//! Values of `status_id`, which are numbers in Postgres and on the wire. SQL uses the functions in
//! `migrations/0081_statuses.sql` and `0087_schedules_of_videos.sql`.

macro_rules! statuses {
    ($(#[doc = $doc:literal])+ $name:ident { $($(#[$meta:meta])+ $variant:ident = $number:literal,)+ }) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, sqlx::Type)]
        #[serde(into = "i16")]
        #[repr(i16)]
        pub enum $name {
            $($(#[$meta])+ $variant = $number,)+
        }
        impl From<$name> for i16 {
            fn from(status: $name) -> Self {
                status as Self
            }
        }
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::Integer)
                    .description(Some(concat!($($doc),+).trim()))
                    .enum_values(Some([$($number),+]))
                    .into()
            }
        }
        impl utoipa::ToSchema for $name {}
    };
}

statuses! {
    /// Status of a video or album: 1 published, 2 in review, 3 draft, 4 rejected, 5 deleted, 6 scheduled (only videos).
    UploadStatus {
        /// Approved. Unless it is private, everyone can see it.
        Published = 1,
        /// Awaits a moderator's decision.
        InReview = 2,
        /// Not submitted yet: an album, a video whose member has yet to choose a screenshot, or an imported video without
        /// its film.
        Draft = 3,
        /// Rejected by a moderator.
        Rejected = 4,
        /// Deleted by its member or taken down. Some deleted uploads can be restored.
        Deleted = 5,
        /// Approved, and waiting for its time of publication. Only its member and moderators can see it. Albums are never
        /// scheduled.
        Scheduled = 6,
    }
}

statuses! {
    /// Status of a member: 1 ordinary, 5 banned, 6 manages uploads.
    MemberStatus {
        /// May do what members may do.
        Ordinary = 1,
        /// Can't sign in.
        Banned = 5,
        /// May also make the own videos private or public, delete them, and have them restored.
        ManagesUploads = 6,
    }
}
