//! What seals and opens what lies sealed in the catalog.

use lantern_catalog::sealed::Seal;
use lantern_media::links::Signer;

/// What lies sealed in the catalog is sealed with a key of the site's secret.
#[must_use]
pub fn seal(signer: &Signer) -> Seal {
    Seal::new(signer.key("sealed in the catalog"))
}
