//! Rate-limited actions.

use lantern_config::{Limits, Policy};

/// Declares one action per line, with its variant, its name in the configuration, and a description.
macro_rules! actions {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:ident $about:literal;)+) => {
        /// Operation that is limited per key.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action { $($(#[doc = $doc])+ $variant),+ }

        impl Action {
            /// All actions, in discriminant order.
            pub const ALL: [Self; 26] = [$(Self::$variant),+];

            /// Returns the name used in the stores, in metrics and in the configuration.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name)),+ }
            }

            /// Describes to an operator what is counted.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => $about),+ }
            }

            /// Returns the policy of this action.
            #[must_use]
            pub fn policy(self, table: &Limits) -> &Policy {
                match self { $(Self::$variant => &table.$name),+ }
            }
        }
    };
}

actions! {
    /// Search in the video index.
    Search search "searches per address, on each node";
    /// Millisecond spent computing an uncached response.
    Compute compute "milliseconds of computation per address, on each node";
    /// Suggestion or facet lookup while typing.
    Suggest suggest "suggestions per address, on each node";
    /// Counted page view.
    PageView page_view "page views per address, on each node";
    /// Comment by a member.
    Comment comment "comments per member";
    /// Failed login to an account from one address.
    LoginAccount login_account "failed logins per account and address";
    /// Failed login to an account from any address. Exceeding this limit triggers a captcha, never a rejection.
    LoginAccountAnywhere login_account_anywhere "failed logins per account before a captcha is required";
    /// Failed login from one address.
    LoginAddress login_address "failed logins per address";
    /// Wrong one-time password of a moderator from one browser.
    SecondStep second_step "wrong one-time passwords per moderator and browser";
    /// Wrong one-time password of a moderator, counted per day.
    SecondStepDay second_step_day "wrong one-time passwords per moderator and day";
    /// Decision of a moderator.
    Decision decision "decisions per moderator";
    /// Take-down, ban or revocation by a moderator.
    GraveDecision grave_decision "take-downs, bans and revocations per moderator";
    /// Document copy opened by a moderator.
    Proof proof "document copies opened per moderator";
    /// Sign-up from one address.
    Signup signup "sign-ups per address";
    /// Password reset mail.
    Restore restore "password reset mails, per address and per recipient";
    /// Use of a mailed link.
    Confirm confirm "uses of mailed links per address";
    /// Use of a digest mail's unsubscribe link.
    Unsubscribe unsubscribe "uses of unsubscribe links per address, on each node";
    /// Report or message to the site.
    Contact contact "reports and messages to the site";
    /// Message to another member.
    Message message "messages to other members, per sender";
    /// Upload started by a member.
    Upload upload "uploads started per member";
    /// Chunk of an upload.
    UploadPiece upload_piece "upload chunks per address, on each node";
    /// Picture that a member adds to an album.
    Photo photo "pictures added to albums per member";
    /// Any other action of a member.
    Act act "other actions per member";
    /// Vote without an account.
    GuestVote guest_vote "guest votes per address";
    /// Issued captcha.
    Captcha captcha "captchas issued per address";
    /// Request by id for a hidden or missing object.
    Hidden hidden "requests for hidden or missing objects, per member and per address, on each node";
}

impl Action {
    /// Whether this is a read. Each node counts reads separately and lets them through if the store fails, because their limit protects
    /// performance, not accounts. Everything else is counted site-wide and rejected if it cannot be counted.
    #[must_use]
    pub fn is_read(self) -> bool {
        matches!(
            self,
            Self::Search
                | Self::Compute
                | Self::Suggest
                | Self::PageView
                | Self::Unsubscribe
                | Self::UploadPiece
                | Self::Hidden
        )
    }
}
