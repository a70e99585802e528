# shellcheck shell=bash
# Contains the stages of `./dev test`. Sourced by `dev`.

# Size, in KiB, of the in-memory temporary folder for the Rust tests. It is several times what they use.
readonly MEMORY=4194304
# Stack size, in bytes, of test threads: in unoptimized code, some handlers need more than the default 2 MiB.
readonly STACK=8388608

# Builds our own crates unoptimized for tests: they then compile in a quarter of the time, and the heavy code is in dependencies, which
# are built once for tests and `up`. Three crates are heavy themselves: the engine, because milli's generic indexing is instantiated there,
# the index because it normalizes text, and ratelimit because of its test with a million attempts.
cargo_light() {
  local crate level options=(--config 'profile.release.package.lantern.opt-level=0')
  for crate in $(sed -n 's/^members = \[\(.*\)\]$/\1/p' Cargo.toml | tr -d '",'); do
    case $crate in engine | index | ratelimit) level=1 ;; *) level=0 ;; esac
    options+=(--config "profile.release.package.lantern-$crate.opt-level=$level")
  done
  cargo "$@" "${options[@]}"
}

web_script() { (cd web && npm run --silent "$@"); }
# The checks run one after the other: each keeps one core busy, and cargo uses the other.
web_checks() { types_and_lint && web_script test -- --maxWorkers="$(getconf _NPROCESSORS_ONLN)"; }

# Skips unchanged files. The stamp is in the build output, so that other checkouts use it, too.
types_and_lint() {
  local stamp=$TARGET/web-checked now
  now="$(digest config/addresses.json config/texts docs/openapi.json listing/vocabulary.json web/{e2e,public,scripts,src} web/*.* web/.prettier*) node $(node --version)"
  fresh "$stamp" "$now" && return 0
  web_script typecheck && web_script lint || return
  printf '%s' "$now" >"$stamp"
}

# memory: creates a temporary folder in memory, where syncs are free, and prints its path. Prints nothing if there is not enough memory.
memory() {
  local room
  room=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1) || return 0
  # Programs need as much memory again.
  have free && [ "$room" -ge "$MEMORY" ] && [ "$(free -k | awk '/^Mem:/ { print $7 }')" -ge $((2 * MEMORY)) ] || return 0
  mktemp -d /dev/shm/lantern-dev-XXXXXX 2>/dev/null || true
}

have_nextest() { cargo nextest --version >/dev/null 2>&1; }

rust_tests() {
  if [ -n "$TMP_IN_MEMORY" ]; then
    # The permissions are the same as for /tmp, because some tests switch to another user.
    chmod 1777 "$TMP_IN_MEMORY"
    export TMPDIR=$TMP_IN_MEMORY
  fi
  if ! have_nextest; then
    cargo_light test --release --workspace --no-fail-fast
    return
  fi
  # The report belongs with this run's logs, wherever the build output is. The rest of the profile is in .config/nextest.toml.
  printf '[profile.check.junit]\npath = "%s"\n' "$WORK/logs/rust-tests.xml" >"$WORK/nextest.toml"
  # Uses two threads per core, because tests wait for processes, disks and clocks: with 1.5, cores were idle a tenth of the time.
  cargo_light nextest run --release --workspace --profile check --tool-config-file "lantern:$WORK/nextest.toml" \
    --test-threads "$(($(getconf _NPROCESSORS_ONLN) * 2))"
}

lints() { cargo clippy --release --workspace --all-targets -- -D warnings; }

# Checks that generated files are up to date. The check is skipped if their sources are unchanged.
generated() {
  local stamp=$TARGET/generated-checked now
  now="$(digest catalog config Cargo.lock) $(rustc --version) $(postgres --version) node $(node --version)"
  fresh "$stamp" "$now" && return 0
  sh catalog/gen-sqlx.sh --check
  node config/gen-countries.mjs --check
  printf '%s' "$now" >"$stamp"
}

# Checks that the API document and error texts match the program.
api_document() {
  "$BINARY" openapi | diff docs/openapi.json -
  "$BINARY" vocabulary | diff listing/vocabulary.json -
  "$BINARY" errors --folder config/texts/errors --check
}

# Checks licenses, banned crates and sources offline, and known vulnerabilities if the advisory database is available. Reports skipped
# checks.
dependencies() {
  if cargo deny --version >/dev/null 2>&1; then
    cargo fetch --locked
    cargo deny --offline --locked check licenses bans sources
    if timeout 60 cargo deny --locked fetch db; then
      cargo deny --offline --locked check advisories
    else
      say "NOT CHECKED: known vulnerabilities of crates, because the advisory database is unavailable"
    fi
  else
    say "NOT CHECKED: licences, sources and known vulnerabilities of crates; run \`cargo install --locked cargo-deny\`"
  fi
}

# Audits the app's packages. It fails on high-severity findings, but not if the registry is unavailable.
web_audit() {
  local answer status=0
  answer=$(cd web && npm audit --json --audit-level=high 2>/dev/null) || status=$?
  if ! node -e 'process.exit("vulnerabilities" in JSON.parse(require("fs").readFileSync(0)) ? 0 : 1)' 2>/dev/null <<<"$answer"; then
    say "NOT CHECKED: known vulnerabilities of the app's packages, because the registry is unavailable"
    return 0
  fi
  say "$answer"
  return "$status"
}

tests() {
  ready_to_build
  begin_tests
  export RUST_MIN_STACK=$STACK
  ask_for_headless_browser
  stage "headless browser" headless_browser
  need chromium python shellcheck nginx openssl
  TMP_IN_MEMORY=$(memory)
  stage "format" cargo fmt --all --check
  stage "shell" shellcheck -x dev scripts/*.sh .ci/run catalog/gen-sqlx.sh
  stage "docs links" node scripts/links.mjs
  stage "crate layers" node scripts/layers.mjs
  stage "web packages" web_packages
  stage "web build" web_app
  background web_checks
  # This runs before the builds, because it makes cargo rebuild the catalog.
  stage "generated files" generated
  stage "clippy" lints
  stage "build" cargo_light test --release --workspace --no-run
  stage "api document" api_document
  # This is the last stage in parallel with the background checks, because the Rust tests leave some CPU time.
  stage "rust tests" rust_tests
  stage "web types, lint, units" join_background
  stage "dependencies" dependencies
  stage "web dependencies" web_audit
  stage "property packages" python_packages
  start_server
  stage "looks" looks
  stage "browser tests" browser_tests
  stage "defences" defences
  # This runs first, because the other one tries many wrong passwords.
  stage "api as a member" in_halves member_properties
  stage "api properties" in_halves api_properties
  stop_server
  table
  slowest
  say "$(passed) passed, 0 failed$(not_checked)"
}
