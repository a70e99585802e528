//! Failed writes to an index, and what they mean for the batch.

use std::path::Path;

use milli_core as milli;
use milli_core::heed::{self, MdbError};
use milli_core::{InternalError, UserError};

use super::cause::is_out_of_space;
use crate::http::error::{ApiError, Code};

/// LMDB's error code for a write that was cut short.
const EIO: i32 = 5;

/// How to handle a failed write.
#[derive(Debug)]
pub enum Failure {
    /// The map is full. Double it and retry.
    MapFull,
    /// The batch is too large for one transaction. Halve it and retry.
    TransactionFull,
    /// The store failed, either without a reason or with this error. A full disk may be the cause.
    Unclear(Option<ApiError>),
    /// The batch was told to stop. Its tasks keep waiting.
    Aborted,
    /// The tasks fail with this error.
    Error(ApiError),
}

impl Failure {
    pub fn no_space() -> Self {
        std::io::Error::from(std::io::ErrorKind::StorageFull).into()
    }

    /// Returns whether half of the batch may succeed, because the batch was too large or contains a write with a user error.
    pub fn should_split(&self) -> bool {
        match self {
            Self::TransactionFull => true,
            Self::Error(error) => error.is_user_error(),
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
            // The indexer wraps LMDB's error if a single entry caused it.
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

/// Converts an LMDB error to an I/O error.
pub fn io_error(error: heed::Error) -> std::io::Error {
    open_error(error.into())
}

/// Converts an error that occurred while opening an index. [`is_damage`](super::store_file::is_damage) recognizes the result if the file is
/// damaged.
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

/// Returns whether a system error means that the disk is full or that a quota or a file size limit is exceeded.
pub fn is_full(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

/// Maps every kind of "full disk" in the queue's store in `folder` to the one kind that has its own error code.
pub fn clear_store_error(error: heed::Error, folder: &Path) -> heed::Error {
    let cut_short = |io: &std::io::Error| io.raw_os_error() == Some(EIO) && is_out_of_space(folder);
    match error {
        heed::Error::Io(io) if is_full(&io) || cut_short(&io) => {
            heed::Error::Io(std::io::ErrorKind::StorageFull.into())
        }
        other => other,
    }
}

/// Returns the protocol error for a failed write.
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
