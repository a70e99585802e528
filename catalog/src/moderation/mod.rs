//! What people decide about uploads and members. Each decision is recorded in the transaction that carries it out.

pub mod clearing;
pub mod consents;
pub mod interest;
pub mod members;
pub mod quarantine;
pub mod queue;
pub mod record;
pub mod staff;
pub mod uploads;

/// Who decides.
#[derive(Debug, Clone, Copy)]
pub struct Actor<'a> {
    /// Id of the moderator's account; `None` for the command line.
    pub id: Option<i64>,
    /// Their name.
    pub name: &'a str,
}

impl Actor<'_> {
    /// Whoever may run the program's commands.
    pub const OPERATOR: Self = Actor { id: None, name: "operator" };
    /// What the site does by itself, as its settings say.
    pub const SITE: Self = Actor { id: None, name: "site" };
}
