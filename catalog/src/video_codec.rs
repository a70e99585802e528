//! Codecs of renditions.

/// Codec of a set of renditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, sqlx::Type, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum VideoCodec {
    /// H.264, which every player supports.
    H264,
    /// AV1.
    Av1,
    /// HEVC.
    Hevc,
}

impl VideoCodec {
    /// Name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::H264 => "h264",
            Self::Av1 => "av1",
            Self::Hevc => "hevc",
        }
    }
}
