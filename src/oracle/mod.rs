//! Which evaluated instances are defects.
