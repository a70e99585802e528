# shellcheck shell=bash
# Builds the documentation site. Sourced by `dev`.

site_links() {
  local script=$PWD/scripts/links.mjs
  (cd "$1" && node "$script" .)
}

docs() {
  local book="$TARGET/book"
  cargo_on_path
  have mdbook || die "mdbook is not installed; run: cargo install --locked mdbook"
  need_node
  rm -rf "$book"
  step "Pages" node scripts/book.mjs "$book"
  step "Links" site_links "$book/src"
  step "Site" mdbook build "$book"
  say "Open $book/html/index.html"
}
