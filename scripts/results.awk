# Extracts results from the logs of all test runners. Prints tab-separated lines:
#   passed N           number of passed tests
#   name NAME          passed test: `crate::binary::module::name` for Rust, `file.spec.ts` for browser tests
#   time SECONDS TITLE duration of a passed test
BEGIN { OFS = "\t" }

function seconds(time) { return time ~ /ms$/ ? time / 1000 : time ~ /m$/ ? time * 60 : time + 0 }

function attribute(key,   value) {
  value = $0
  sub(".* " key "=\"", "", value)
  sub(/".*/, "", value)
  return value
}

{ gsub(/\033\[[0-9;]*m/, "") }

# cargo-nextest: its summary, and its JUnit report, in which a test without children passed
/tests? run: / { for (i = 2; i <= NF; i++) if ($i ~ /^passed/) print "passed", $(i - 1) }
/^ *<testcase .*\/>$/ {
  print "name", attribute("classname") "::" attribute("name")
  print "time", attribute("time"), attribute("classname") " " attribute("name")
}

# cargo test: Running tests/program/main.rs (target/release/deps/program-0123456789abcdef), then its tests
/^ *Running / { program = $NF; sub(/.*\//, "", program); sub(/-[0-9a-f]+\)$/, "", program) }
/^test .* \.\.\. ok$/ { print "name", program "::" $2 }
/^test result: ok/ { print "passed", $4 }

# vitest: the total, and below its file: ✓ title  350ms
/^ *Tests +[0-9]+ passed/ { print "passed", $2 }
/^    +✓ .* [0-9.]+m?s$/ { time = $NF; title = $0; gsub(/^ *✓ +| +[^ ]+$/, "", title); print "time", seconds(time), title }

# Playwright: the total, and ✓  12 [site] › e2e/file.spec.ts:3:1 › title (1.2s)
/^ +[0-9]+ passed \(/ { print "passed", $1 }
/^ *✓ / && match($0, /[^ ]+\.spec\.ts:/) {
  name = substr($0, RSTART, RLENGTH - 1)
  sub(/^e2e\//, "", name)
  print "name", name
}
/ › / && match($0, / \([0-9.]+(ms|s|m)\)$/) {
  title = substr($0, 1, RSTART - 1)
  sub(/^ *[^ ]+ +[0-9]+ +/, "", title)
  print "time", seconds(substr($0, RSTART + 2, RLENGTH - 3)), title
}
