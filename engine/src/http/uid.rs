//! Index uids.

use deserr::{DeserializeError, Deserr, IntoValue, ValuePointerRef};

use super::error::{ApiError, Code};
use super::parameter::{Parameter, unexpected};

/// Maximum length of a uid, in bytes.
const MAX_LENGTH: usize = 400;

/// An index uid: letters, digits, hyphens and underscores.
#[derive(Debug)]
pub struct Uid(pub String);

impl<E: DeserializeError> Deserr<E> for Uid {
    fn deserialize_from_value<V: IntoValue>(value: deserr::Value<V>, at: ValuePointerRef<'_>) -> Result<Self, E> {
        let uid = String::deserialize_from_value(value, at)?;
        if is_uid(&uid) { Ok(Self(uid)) } else { Err(unexpected(invalid(&uid), at)) }
    }
}

impl Parameter for Uid {}

impl Parameter for Vec<Uid> {}

/// Returns whether `uid` is a valid index uid.
pub fn is_uid(uid: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !uid.is_empty() && uid.len() <= MAX_LENGTH && uid.chars().all(plain)
}

/// Returns the error message for an invalid uid.
pub fn invalid(uid: &str) -> String {
    format!(
        "`{uid}` is not a valid index uid. Index uid can be an integer or a string containing only alphanumeric characters, \
         hyphens (-) and underscores (_), and can not be more than {MAX_LENGTH} bytes."
    )
}

/// Refuses an invalid uid in a path.
pub fn check(uid: &str) -> Result<(), ApiError> {
    if is_uid(uid) { Ok(()) } else { Err(ApiError::new(Code::InvalidIndexUid, invalid(uid))) }
}
