# shellcheck shell=bash
# Evaluates the logs of all test runners after a run. Sourced by `dev`.

# How many of the slowest tests are listed.
readonly SLOWEST=20

# results KIND: prints all results of one kind; see results.awk.
results() { awk -f scripts/results.awk "$WORK"/logs/* | sed -n "s/^$1"$'\t'"//p"; }

# Prints how many tests passed, according to the logs of all runners.
passed() { results passed | awk '{ n += $1 } END { print n + 0 }'; }

# Prints the slowest tests from all runners that log durations. Vitest logs only those above 0.3 s.
slowest() {
  say "The $SLOWEST slowest tests:"
  results time | LC_ALL=C sort -rn | awk -F'\t' -v most="$SLOWEST" 'NR <= most { printf "%8.1f s  %s\n", $1, $2 }'
  have_nextest || say "  No durations of Rust tests without cargo-nextest."
  say ''
}

# Checks that every test named in docs/THREATS.md ran and passed.
defences() {
  local name file named=0 missing=0
  results name | sort -u >"$WORK/passed"
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
