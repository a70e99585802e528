//! Why a write to an index failed, and what that means for the batch.

use std::path::Path;

use milli_core as milli;
use milli_core::heed::{self, MdbError};
use milli_core::{InternalError, UserError};

use super::cause::is_out_of_space;
use crate::http::error::{ApiError, Code};

/// What LMDB says of a write that was cut short.
const EIO: i32 = 5;

/// What to do about a failed write.
#[derive(Debug)]
pub enum Failure {
    /// Double the map, try again.
    MapFull,
    /// Too much for one transaction: halve the batch, try again.
    TransactionFull,
    /// The store failed without its reason, or with this one, which a full disk may be behind.
    Unclear(Option<ApiError>),
    /// Somebody asked the batch to stop; the tasks wait on.
    Aborted,
    /// The tasks fail with this.
    Error(ApiError),
}

impl Failure {
    pub fn no_space() -> Self {
        std::io::Error::from(std::io::ErrorKind::StorageFull).into()
    }

    /// Whether half of the batch may go through: it was too big, or holds a write that the user got wrong.
    pub fn may_be_one_write(&self) -> bool {
        match self {
            Self::TransactionFull => true,
            Self::Error(error) => error.is_users(),
            Self::MapFull | Self::Unclear(_) | Self::Aborted => false,
        }
    }
}

impl From<milli::Error> for Failure {
    fn from(error: milli::Error) -> Self {
        match error {
            milli::Error::UserError(UserError::MaxDatabaseSizeReached)
            | milli::Error::InternalError(InternalError::Store(MdbError::MapFull)) => Self::MapFull,
            milli::Error::InternalError(InternalError::Store(MdbError::TxnFull)) => Self::TransactionFull,
            milli::Error::InternalError(InternalError::AbortedIndexation) => Self::Aborted,
            // The indexer wraps what LMDB says about a single entry.
            milli::Error::InternalError(
                InternalError::StorePut { error, .. } | InternalError::StoreDeletion { error, .. },
            ) => error.into(),
            milli::Error::IoError(io) if io.raw_os_error() == Some(EIO) => {
                Self::Unclear(Some(write_error(&milli::Error::IoError(io))))
            }
            other => Self::Error(write_error(&other)),
        }
    }
}

impl From<heed::Error> for Failure {
    fn from(error: heed::Error) -> Self {
        match error {
            heed::Error::Mdb(MdbError::MapFull) => Self::MapFull,
            heed::Error::Mdb(MdbError::TxnFull) => Self::TransactionFull,
            other => milli::Error::from(other).into(),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        milli::Error::IoError(error).into()
    }
}

/// An error of LMDB as one of reading its file.
pub fn io_error(error: heed::Error) -> std::io::Error {
    open_error(error.into())
}

/// Why an index can't be opened, of the kind that [`is_damage`](super::store_file::is_damage) knows where its file is at fault.
pub fn open_error(error: milli::Error) -> std::io::Error {
    use std::io::{Error, ErrorKind};
    let is_file = match &error {
        milli::Error::IoError(_) => false,
        milli::Error::UserError(error) => matches!(error, UserError::InvalidStoreFile),
        milli::Error::InternalError(InternalError::Store(error)) => matches!(
            error,
            MdbError::Corrupted
                | MdbError::PageNotFound
                | MdbError::Panic
                | MdbError::VersionMismatch
                | MdbError::Invalid
                | MdbError::Incompatible
        ),
        milli::Error::InternalError(error) => matches!(
            error,
            InternalError::Serialization(_)
                | InternalError::SerdeJson(_)
                | InternalError::BincodeError(_)
                | InternalError::Utf8(_)
                | InternalError::Fst(_)
                | InternalError::DatabaseMissingEntry { .. }
                | InternalError::FieldidsWeightsMapMissingEntry { .. }
        ),
    };
    match error {
        milli::Error::IoError(error) => error,
        error if is_file => Error::new(ErrorKind::InvalidData, error),
        error => Error::other(error),
    }
}

/// Whether an error of the system says that the disk, a quota or a limit of file sizes is used up.
pub fn is_full(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

/// An error of the queue's store in `folder`, with every kind of "full disk" as the one kind that has its own code.
pub fn clear_store_error(error: heed::Error, folder: &Path) -> heed::Error {
    let cut_short = |io: &std::io::Error| io.raw_os_error() == Some(EIO) && is_out_of_space(folder);
    match error {
        heed::Error::Io(io) if is_full(&io) || cut_short(&io) => {
            heed::Error::Io(std::io::ErrorKind::StorageFull.into())
        }
        other => other,
    }
}

/// The protocol's error for a failed write.
pub fn write_error(error: &milli::Error) -> ApiError {
    let code = match error {
        milli::Error::UserError(user) => user_code(user),
        milli::Error::IoError(io) if is_full(io) => Code::NoSpaceLeftOnDevice,
        milli::Error::IoError(_) => Code::IoError,
        milli::Error::InternalError(_) => Code::Internal,
    };
    ApiError::new(code, error.to_string())
}

fn user_code(error: &UserError) -> Code {
    match error {
        UserError::InvalidFilter(_)
        | UserError::InvalidFilterExpression(..)
        | UserError::FilterOperatorNotAllowed { .. } => Code::InvalidDocumentFilter,
        UserError::MissingDocumentId { .. } => Code::MissingDocumentId,
        UserError::InvalidDocumentId { .. } | UserError::TooManyDocumentIds { .. } => Code::InvalidDocumentId,
        UserError::NoPrimaryKeyCandidateFound => Code::IndexPrimaryKeyNoCandidateFound,
        UserError::MultiplePrimaryKeyCandidatesFound { .. } => Code::IndexPrimaryKeyMultipleCandidatesFound,
        UserError::PrimaryKeyCannotBeChanged(_) => Code::IndexPrimaryKeyAlreadyExists,
        UserError::InvalidGeoField(_) => Code::InvalidDocumentGeoField,
        UserError::AttributeLimitReached => Code::MaxFieldsLimitExceeded,
        UserError::NoSpaceLeftOnDevice => Code::NoSpaceLeftOnDevice,
        UserError::InvalidStoreFile => Code::InvalidStoreFile,
        UserError::SerdeJson(_) => Code::MalformedPayload,
        UserError::CriterionError(_) => Code::InvalidSettingsRankingRules,
        UserError::InvalidMinTypoWordLenSetting(..) => Code::InvalidSettingsTypoTolerance,
        UserError::DocumentLimitReached => Code::DatabaseSizeLimitReached,
        _ => Code::Internal,
    }
}
