//! Decisions on uploads and members. Each is recorded in the transaction that executes it.

pub mod clearing;
pub mod consents;
pub mod interest;
pub mod members;
pub mod quarantine;
pub mod queue;
pub mod record;
pub mod staff;
pub mod uploads;

/// Person or process that decides.
#[derive(Debug, Clone, Copy)]
pub struct Actor<'a> {
    /// Id of the moderator's account; `None` for the command line.
    pub id: Option<i64>,
    /// Their name.
    pub name: &'a str,
}

impl Actor<'_> {
    /// Operator on the command line.
    pub const OPERATOR: Self = Actor { id: None, name: "operator" };
    /// Automatic action of the site, as configured.
    pub const SITE: Self = Actor { id: None, name: "site" };
}
