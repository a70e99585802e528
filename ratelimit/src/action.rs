//! What can be limited.

use lantern_config::{Limits, Policy};

/// Something one key may do only so often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// A search of the video index.
    Search,
    /// A millisecond of computing what isn't cached.
    Compute,
    /// A suggestion or facet look-up while typing.
    Suggest,
    /// A comment of a member.
    Comment,
    /// A failed login to one account from one address.
    LoginAccount,
    /// A failed login to one account from anywhere; leads to a captcha, never to a refusal.
    LoginAccountAnywhere,
    /// A failed login from one address.
    LoginAddress,
    /// A sign-up from one address.
    Signup,
    /// A mail that resets a password.
    Restore,
    /// A try of a mailed link.
    Confirm,
    /// A report or a message to the site.
    Contact,
    /// A message to another member.
    Message,
    /// Any other thing a member does.
    Act,
    /// A vote without an account.
    GuestVote,
    /// A captcha that is handed out.
    Captcha,
    /// A request by id for an object that is hidden or missing.
    Hidden,
}

impl Action {
    /// Every action, in the order of their discriminants.
    pub const ALL: [Self; 16] = [
        Self::Search,
        Self::Compute,
        Self::Suggest,
        Self::Comment,
        Self::LoginAccount,
        Self::LoginAccountAnywhere,
        Self::LoginAddress,
        Self::Signup,
        Self::Restore,
        Self::Confirm,
        Self::Contact,
        Self::Message,
        Self::Act,
        Self::GuestVote,
        Self::Captcha,
        Self::Hidden,
    ];

    /// The name used in the stores, in metrics and in the configuration.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Compute => "compute",
            Self::Suggest => "suggest",
            Self::Comment => "comment",
            Self::LoginAccount => "login_account",
            Self::LoginAccountAnywhere => "login_account_anywhere",
            Self::LoginAddress => "login_address",
            Self::Signup => "signup",
            Self::Restore => "restore",
            Self::Confirm => "confirm",
            Self::Contact => "contact",
            Self::Message => "message",
            Self::Act => "act",
            Self::GuestVote => "guest_vote",
            Self::Captcha => "captcha",
            Self::Hidden => "hidden",
        }
    }

    /// What is counted, in words for an operator.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Search => "searches of an address, on each node",
            Self::Compute => "milliseconds computed for an address, on each node",
            Self::Suggest => "suggestions for an address, on each node",
            Self::Comment => "comments of a member",
            Self::LoginAccount => "failed logins to an account from one address",
            Self::LoginAccountAnywhere => "failed logins to an account until a captcha is asked for",
            Self::LoginAddress => "failed logins from an address",
            Self::Signup => "sign-ups from an address",
            Self::Restore => "mails that reset a password, by address and by recipient",
            Self::Confirm => "mailed links tried from an address",
            Self::Contact => "reports and messages to the site",
            Self::Message => "messages of a member to others",
            Self::Act => "other actions of a member",
            Self::GuestVote => "votes of guests from an address",
            Self::Captcha => "captchas handed out to an address",
            Self::Hidden => "hidden or missing objects asked for from an address, on each node",
        }
    }

    /// Reads are counted by each node for itself and stay open when the store fails: their limit protects speed, not
    /// accounts. Everything else is counted for the whole site and refused when it can't be counted.
    #[must_use]
    pub fn is_read(self) -> bool {
        matches!(self, Self::Search | Self::Compute | Self::Suggest | Self::Hidden)
    }

    /// The row of the policy table that governs this action.
    #[must_use]
    pub fn policy(self, table: &Limits) -> &Policy {
        match self {
            Self::Search => &table.search,
            Self::Compute => &table.compute,
            Self::Suggest => &table.suggest,
            Self::Comment => &table.comment,
            Self::LoginAccount => &table.login_account,
            Self::LoginAccountAnywhere => &table.login_account_anywhere,
            Self::LoginAddress => &table.login_address,
            Self::Signup => &table.signup,
            Self::Restore => &table.restore,
            Self::Confirm => &table.confirm,
            Self::Contact => &table.contact,
            Self::Message => &table.message,
            Self::Act => &table.act,
            Self::GuestVote => &table.guest_vote,
            Self::Captcha => &table.captcha,
            Self::Hidden => &table.hidden,
        }
    }
}
