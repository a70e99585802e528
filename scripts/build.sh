# shellcheck shell=bash
# Builds the web app and the program, and skips steps whose input is unchanged. Sourced by `dev`.

# Python tools for the property-based tests. They are next to the build output, so that they stay cached as long as it does.
readonly VENV="$TARGET/python"
# Cache for the demo clips, which take a long time to render.
readonly CLIPS="$TARGET/clips"
# Data folder that `up` uses when root runs it in a checkout that other users may not enter.
readonly ROOTS_DATA=/var/lib/lantern-demo

# step NAME COMMAND…: runs a command with visible output and prints its duration.
step() {
  local name=$1 begin=$SECONDS
  shift
  say "${BOLD}▸ $name${PLAIN}"
  "$@" || die "$name failed (see above)"
  say "${GREEN}✓${PLAIN} $name ${DIM}$((SECONDS - begin)) s${PLAIN}"
}

# digest PATH…: prints a checksum of the names and contents of all files below the paths.
digest() { find "$@" -type f -exec cksum {} + | LC_ALL=C sort | cksum; }

npm_ci() { (cd web && npm ci --no-audit --no-fund --loglevel=error </dev/null); }
vite_build() { (cd web && npm run --silent gen </dev/null && npm exec -- vite build --logLevel warn </dev/null); }
cargo_build() { cargo build --release --workspace; }

# fresh STAMP DIGEST: succeeds if the previous run had the same input.
fresh() { [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]; }

web_packages() {
  local stamp=web/node_modules/.lantern-packages now
  now="$(digest web/package.json web/package-lock.json) node $(node --version)"
  fresh "$stamp" "$now" && return 0
  step "Web packages" npm_ci
  printf '%s' "$now" >"$stamp"
}

web_app() {
  local stamp=web/node_modules/.lantern-dist now
  web_packages
  now=$(digest config/addresses.json listing/vocabulary.json config/texts web/src web/public web/index.html web/vite.config.ts web/tsconfig.json web/package-lock.json)
  [ -f web/dist/index.html ] && fresh "$stamp" "$now" && return 0
  step "Web app" vite_build
  printf '%s' "$now" >"$stamp"
}

python_packages() {
  local stamp=$VENV/.lantern-packages now wanted=site/tests/properties/requirements.txt
  now="$(digest "$wanted") $(python3 --version)"
  fresh "$stamp" "$now" && return 0
  python3 -m venv --clear "$VENV" || return
  "$VENV/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted" || return
  printf '%s' "$now" >"$stamp"
}

# Prints what the rendered clips depend on.
clips_version() { printf '%s' "$(digest media/src/demo media/src/tool.rs) $(ffmpeg -version | head -n 1)"; }

# restore_clips FOLDER: copies cached clips to FOLDER if they are up to date.
restore_clips() {
  fresh "$CLIPS/stamp" "$(clips_version)" || return 0
  mkdir -p "$1"
  cp -R "$CLIPS/demo" "$1/"
}

# cache_clips FOLDER: caches clips for the next run. It writes the stamp last, so that an incomplete copy is never used.
cache_clips() {
  ! fresh "$CLIPS/stamp" "$(clips_version)" || return 0
  rm -rf "$CLIPS"
  mkdir -p "$CLIPS"
  cp -R "$1/demo" "$CLIPS/"
  printf '%s' "$(clips_version)" >"$CLIPS/stamp"
}

ready_to_build() {
  need_rust
  need_node
  need compiler postgres ffmpeg
  postgres_bin
}

# Succeeds if root runs this in a checkout that cannot be entered by the ordinary user that Lantern switches to.
closed_checkout() {
  local folder=$PWD
  [ "$(id -u)" = 0 ] || return 1
  while [ -n "$folder" ]; do
    [ -n "$(find "$folder" -maxdepth 0 -perm -o+x)" ] || return 0
    folder=${folder%/*}
  done
  return 1
}

# lantern COMMAND OPTIONS…: replaces this script with the built program.
lantern() {
  if closed_checkout && [ -z "${LANTERN__DATA_DIR:-}${LANTERN_CONFIG:-}" ] && [[ " $* " != *" --data-dir"* && " $* " != *" --config"* ]]; then
    say "Data is stored in $ROOTS_DATA: Lantern switches from root to an ordinary user, who may not enter $PWD"
    set -- --data-dir "$ROOTS_DATA" "$@"
  fi
  exec "$BINARY" "$@"
}
