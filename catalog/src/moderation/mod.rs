//! Decisions on uploads and members. Each decision is recorded in the transaction that carries it out.

pub mod clearing;
pub mod consents;
pub mod interest;
pub mod members;
pub mod quarantine;
pub mod queue;
pub mod record;
pub mod staff;
pub mod uploads;

/// The person or process that decides.
#[derive(Debug, Clone, Copy)]
pub struct Actor<'a> {
    /// Id of the moderator's account, or `None` for the command line.
    pub id: Option<i64>,
    /// Name of the moderator.
    pub name: &'a str,
}

impl Actor<'_> {
    /// The operator on the command line.
    pub const OPERATOR: Self = Actor { id: None, name: "operator" };
    /// The site itself, which acts automatically as configured.
    pub const SITE: Self = Actor { id: None, name: "site" };
}
