//! What members are told of: the list is `member_lists.php?list=notifications`, the rest is here.

pub mod act;
pub mod digest;
pub mod item;
pub mod stop;
