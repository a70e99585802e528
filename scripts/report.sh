# shellcheck shell=bash
# Evaluates the logs of all test runners after a run. Sourced by `dev`.

# Number of slowest tests listed.
readonly SLOWEST=20

# passed_names LOG…: prints passed tests, one per line: `crate::binary::module::name` for Rust, `file.spec.ts` for browser tests.
passed_names() {
  awk '
    { gsub(/\033\[[0-9;]*m/, "") }
    # nextest: PASS [   1.234s] (12/900) crate::program module::test
    match($0, /^ *PASS \[ *[0-9.]+s\]( \( *[0-9]+\/[0-9]+\))? */) {
      name = substr($0, RLENGTH + 1)
      sub(/ /, "::", name)
      print name
      next
    }
    # cargo test: Running tests/program/main.rs (target/release/deps/program-0123456789abcdef), then its tests
    /^ *Running / { program = $NF; sub(/.*\//, "", program); sub(/-[0-9a-f]+\)$/, "", program); next }
    /^test .* \.\.\. ok$/ { print program "::" $2; next }
    # Playwright: ✓  12 [site] › e2e/file.spec.ts:3:1 › title (1.2s)
    /^ *✓ / && match($0, /[^ ]+\.spec\.ts:/) {
      name = substr($0, RSTART, RLENGTH - 1)
      sub(/^e2e\//, "", name)
      print name
    }
  ' "$@"
}

# Checks that every test named in docs/THREATS.md ran and passed.
defences() {
  local name file named=0 missing=0
  passed_names "$WORK"/logs/*.log | sort -u >"$WORK/passed"
  while read -r name; do
    named=$((named + 1))
    case $name in
      *.spec.ts) grep -qxF "$name" "$WORK/passed" && continue ;;
      *)
        file=${name%::*}
        grep -qE "(^|::)${file//\//::}::(tests::)?${name##*::}\$" "$WORK/passed" && continue
        ;;
    esac
    say "docs/THREATS.md names $name, which did not run or did not pass"
    missing=$((missing + 1))
  done < <(grep '^|' docs/THREATS.md | grep -oE "\`[a-z0-9_/]+::[a-z0-9_]+\`|\`[a-z0-9/-]+[.]spec[.]ts\`" | tr -d "\`" | sort -u)
  say "$named tests named, $missing missing"
  [ "$named" -gt 0 ] && [ "$missing" = 0 ]
}

# Prints the number of passed tests in the logs of all runners.
passed() {
  awk '
    { gsub(/\033\[[0-9;]*m/, "") }
    /tests? run: / { for (i = 2; i <= NF; i++) if ($i ~ /^passed/) n += $(i - 1) }
    /^test result: ok/ { n += $4 }
    /^ *Tests +[0-9]+ passed/ { n += $2 }
    /^ +[0-9]+ passed \(/ { n += $1 }
    END { print n + 0 }
  ' "$WORK"/logs/*.log
}

# Prints the slowest tests of all runners that log durations; vitest does so for tests above 0.3 s.
slowest() {
  say "The $SLOWEST slowest tests:"
  awk '
    function line(time, name) {
      seconds = time ~ /ms$/ ? time / 1000 : time ~ /m$/ ? time * 60 : time + 0
      printf "%8.1f s  %s\n", seconds, name
    }
    { gsub(/\033\[[0-9;]*m/, "") }
    # nextest: PASS [   1.234s] (12/900) crate::program module::test
    match($0, /^ *PASS \[ *[0-9.]+s\]( \( *[0-9]+\/[0-9]+\))? */) {
      name = substr($0, RLENGTH + 1)
      gsub(/^[^[]*\[ *|\].*/, "")
      line($0, name)
      next
    }
    # Playwright: ✓  12 file.spec.ts:3:1 › title (1.2s)
    / › / && match($0, / \([0-9.]+(ms|s|m)\)$/) {
      time = substr($0, RSTART + 2, RLENGTH - 3)
      name = substr($0, 1, RSTART - 1)
      sub(/^ *[^ ]+ +[0-9]+ +/, "", name)
      line(time, name)
      next
    }
    # vitest, below its file: ✓ title  350ms
    /^    +✓ .* [0-9.]+m?s$/ { time = $NF; gsub(/^ *✓ +| +[^ ]+$/, ""); line(time, $0) }
  ' "$WORK"/logs/*.log | LC_ALL=C sort -rn | sed -n "1,${SLOWEST}p"
  cargo nextest --version >/dev/null 2>&1 || say "  No durations of Rust tests without cargo-nextest."
  say ''
}
