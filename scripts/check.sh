#!/usr/bin/env bash
# Formatting, lints and documentation, with warnings as errors.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo fmt --all --check
cargo clippy --locked --workspace --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items
echo "check.sh: formatting, lints and documentation are clean"
