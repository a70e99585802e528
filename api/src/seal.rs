//! Encryption of sealed values in the catalog.

use lantern_catalog::sealed::Seal;
use lantern_media::links::Signer;

/// Returns the seal for the catalog, with a key derived from the site's secret.
#[must_use]
pub fn seal(signer: &Signer) -> Seal {
    Seal::new(signer.key("sealed in the catalog"))
}
