//! Reports on whole recorded runs: every plot is there, the page loads nothing, and a browser shows it.

#[path = "report/browser.rs"]
mod browser;
#[path = "report/page.rs"]
mod page;
#[path = "report/recorded.rs"]
mod recorded;
#[path = "campaign/scripted.rs"]
#[allow(dead_code, reason = "the tests of campaigns use more of it")]
mod scripted;
