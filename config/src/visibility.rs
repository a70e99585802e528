//! The numbers forms send for who may see something. The playlist form says 0 for private and 1 for public, the upload form
//! the reverse; this is the one place that knows.

use crate::Visibility;

impl Visibility {
    /// What `visible` of the playlist form means: 0 private, 1 public; `None` for any other number.
    #[must_use]
    pub const fn from_playlist_form(visible: u8) -> Option<Self> {
        match visible {
            0 => Some(Self::Private),
            1 => Some(Self::Public),
            _ => None,
        }
    }

    /// What the upload form means: 0 public, 1 private; `None` for any other number.
    #[must_use]
    pub const fn from_upload_form(private: u8) -> Option<Self> {
        match private {
            0 => Some(Self::Public),
            1 => Some(Self::Private),
            _ => None,
        }
    }

    /// What the upload form shows as chosen.
    #[must_use]
    pub const fn to_upload_form(self) -> u8 {
        match self {
            Self::Public => 0,
            Self::Private => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_forms_say_the_opposite() {
        assert_eq!(Visibility::from_playlist_form(0), Some(Visibility::Private));
        assert_eq!(Visibility::from_playlist_form(1), Some(Visibility::Public));
        assert_eq!(Visibility::from_upload_form(0), Some(Visibility::Public));
        assert_eq!(Visibility::from_upload_form(1), Some(Visibility::Private));
        assert_eq!((Visibility::from_playlist_form(2), Visibility::from_upload_form(2)), (None, None));
        for visibility in Visibility::ALL {
            assert_eq!(Visibility::from_upload_form(visibility.to_upload_form()), Some(*visibility));
            assert_ne!(Visibility::from_playlist_form(visibility.to_upload_form()), Some(*visibility));
        }
    }
}
