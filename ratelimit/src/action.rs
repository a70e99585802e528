//! What can be limited.

use lantern_config::{Limits, Policy};

/// Declares an action by a line: its variant, its name in the configuration, and what is counted.
macro_rules! actions {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:ident $about:literal;)+) => {
        /// Something one key may do only so often.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action { $($(#[doc = $doc])+ $variant),+ }

        impl Action {
            /// Every action, in the order of their discriminants.
            pub const ALL: [Self; 26] = [$(Self::$variant),+];

            /// The name used in the stores, in metrics and in the configuration.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name)),+ }
            }

            /// What is counted, in words for an operator.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => $about),+ }
            }

            /// The row of the policy table that governs this action.
            #[must_use]
            pub fn policy(self, table: &Limits) -> &Policy {
                match self { $(Self::$variant => &table.$name),+ }
            }
        }
    };
}

actions! {
    /// A search of the video index.
    Search search "searches of an address, on each node";
    /// A millisecond of computing what isn't cached.
    Compute compute "milliseconds computed for an address, on each node";
    /// A suggestion or facet look-up while typing.
    Suggest suggest "suggestions for an address, on each node";
    /// A visit of a page that is counted.
    PageView page_view "visits of pages from an address, on each node";
    /// A comment of a member.
    Comment comment "comments of a member";
    /// A failed login to one account from one address.
    LoginAccount login_account "failed logins to an account from one address";
    /// A failed login to one account from anywhere; leads to a captcha, never to a refusal.
    LoginAccountAnywhere login_account_anywhere "failed logins to an account until a captcha is asked for";
    /// A failed login from one address.
    LoginAddress login_address "failed logins from an address";
    /// A wrong one-time password of a moderator from one browser.
    SecondStep second_step "wrong one-time passwords of a moderator from one browser";
    /// A wrong one-time password of a moderator, by the day.
    SecondStepDay second_step_day "wrong one-time passwords of a moderator in a day";
    /// A decision of a moderator.
    Decision decision "decisions of a moderator";
    /// A take-down, ban or revocation of a moderator.
    GraveDecision grave_decision "take-downs, bans and revocations of a moderator";
    /// A copy of a document that a moderator opens.
    Proof proof "copies of documents that a moderator opens";
    /// A sign-up from one address.
    Signup signup "sign-ups from an address";
    /// A mail that resets a password.
    Restore restore "mails that reset a password, by address and by recipient";
    /// A try of a mailed link.
    Confirm confirm "mailed links tried from an address";
    /// A mail that sums up what is new, ended by its link.
    Unsubscribe unsubscribe "links tried that end mails, from an address, on each node";
    /// A report or a message to the site.
    Contact contact "reports and messages to the site";
    /// A message to another member.
    Message message "messages of a member to others";
    /// An upload that a member begins.
    Upload upload "uploads that a member begins";
    /// A piece of an upload.
    UploadPiece upload_piece "pieces of uploads from an address, on each node";
    /// A picture that a member puts into an album.
    Photo photo "pictures that a member puts into albums";
    /// Any other thing a member does.
    Act act "other actions of a member";
    /// A vote without an account.
    GuestVote guest_vote "votes of guests from an address";
    /// A captcha that is handed out.
    Captcha captcha "captchas handed out to an address";
    /// A request by id for an object that is hidden or missing.
    Hidden hidden "hidden or missing objects asked for by a member or from an address, on each node";
}

impl Action {
    /// Reads are counted by each node for itself and stay open when the store fails: their limit protects speed, not
    /// accounts. Everything else is counted for the whole site and refused when it can't be counted.
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
