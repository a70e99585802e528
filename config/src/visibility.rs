//! Numbers that forms send for the visibility. The playlist form sends 0 for private and 1 for public, and the upload form does the
//! reverse. Only this module translates these numbers.

use crate::Visibility;

impl Visibility {
    /// Parses `visible` in the playlist form, where 0 is private and 1 is public. Returns `None` for any other number.
    #[must_use]
    pub const fn from_playlist_form(visible: u8) -> Option<Self> {
        match visible {
            0 => Some(Self::Private),
            1 => Some(Self::Public),
            _ => None,
        }
    }

    /// Parses the number in the upload form, where 0 is public and 1 is private. Returns `None` for any other number.
    #[must_use]
    pub const fn from_upload_form(private: u8) -> Option<Self> {
        match private {
            0 => Some(Self::Public),
            1 => Some(Self::Private),
            _ => None,
        }
    }

    /// Returns the number that the upload form uses.
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
    fn forms_use_opposite_numbers() {
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
