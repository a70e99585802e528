//! Signing up and in, and the account itself.

use lantern_config::Config;

use crate::{openapi::Doc, private::Done};

const TAG: &str = "account";

/// `logout.php`
#[must_use]
pub fn logout(_: &Config) -> Doc {
    Doc::post(TAG, "logout", "/api/logout.php", "Sign out")
        .about("Ends the session and sets the cookie `logout=1`. Without a session nothing ends.")
        .answers::<Done>("Nobody is signed in any more.")
}
