//! Notifications, except for the list of notifications, which is `member_lists.php?list=notifications`.

pub mod act;
pub mod item;
pub mod stop;
