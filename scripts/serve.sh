# shellcheck shell=bash
# Starts the program, and tests it from outside with browsers and generated requests. Sourced by `dev`.

# How long, in seconds, the program may take to become ready: it first renders clips, seeds and indexes.
readonly READY_LIMIT=600
# Requests generated per call in property-based tests, and the random seed. The fixed seed gives the same requests on every machine.
readonly PROPERTIES=25 SEED=1

SERVER='' PROVIDER='' ADDRESS=''

# Starts the OpenID provider for "Sign in with Google" on a free port. The provider prints only its URL. The site gets the same
# credentials.
start_provider() {
  local log=$WORK/logs/openid-provider.log limit=$((SECONDS + READY_LIMIT))
  export LANTERN__OPENID__CLIENT_ID=lantern-tests LANTERN__OPENID__CLIENT_SECRET=known-to-these-two
  : >"$log"
  node web/e2e/openid-provider.mjs >"$log" 2>&1 </dev/null &
  PROVIDER=$!
  until grep -q '^http' "$log"; do
    if ! kill -0 "$PROVIDER" 2>/dev/null || [ "$SECONDS" -ge "$limit" ]; then
      tail -n "$TAIL" "$log"
      die "the OpenID provider of the browser tests did not start"
    fi
    sleep 0.2
  done
  export LANTERN__OPENID__ISSUER
  LANTERN__OPENID__ISSUER=$(cat "$log")
}

# Starts the real program on free ports with a separate data folder, and waits until the program prints its URL.
start_server() {
  local log=$WORK/logs/server.log limit=$((SECONDS + READY_LIMIT))
  : >"$log"
  start_provider
  # Avoids timeouts on a busy machine. This also applies to sites that tests start themselves.
  export LANTERN__SERVER__REQUEST_TIMEOUT=120 LANTERN__ACCOUNTS__ARGON2__WAIT_MS=100000 LANTERN__PICTURES__TIME_MS=100000
  # The tests need more sign-ups and mailed links than the limits per address permit. Small uploads fit on any disk, so that generated
  # requests reach the member's quota before the disk is full.
  LANTERN__LIMITS__SIGNUP__ATTEMPTS=100 LANTERN__LIMITS__CONFIRM__ATTEMPTS=100 LANTERN__LIMITS__CONFIRM__PER_SECONDS=60 \
    LANTERN__UPLOADS__MAX_BYTES=1048576 LANTERN__UPLOADS__MEMBER_BYTES=1048576 LANTERN__UPLOADS__RESERVE_BYTES=0 \
    LANTERN__SEARCH__LISTEN=127.0.0.1:0 LANTERN__SERVER__MONITOR_LISTEN=127.0.0.1:0 "$BINARY" up --port 0 --data-dir "$WORK/data" >"$log" 2>&1 </dev/null &
  SERVER=$!
  until grep -q 'Lantern is ready at' "$log"; do
    if ! kill -0 "$SERVER" 2>/dev/null || [ "$SECONDS" -ge "$limit" ]; then
      tail -n "$TAIL" "$log"
      die "lantern exited, or was not ready within $READY_LIMIT s"
    fi
    sleep 0.2
  done
  ADDRESS=$(sed -n 's|.*Lantern is ready at \(http://[^ ]*\).*|\1|p' "$log")
  cache_clips "$WORK/media"
}

# Stops the server. It must exit cleanly together with its Postgres and must not have logged warnings.
stop_server() {
  local log=$WORK/logs/server.log status=0
  kill -TERM "$SERVER"
  wait "$SERVER" || status=$?
  SERVER=''
  end_provider
  [ "$status" = 0 ] || die "lantern exited with status $status: $(tail -n 5 "$log")"
  [ ! -e "$WORK/data/postgres/postmaster.pid" ] || die "lantern left its Postgres running"
  if grep -nE '\b(WARN|ERROR)\b' "$log"; then
    die "the log of a normal run contains warnings"
  fi
}

# Stops the server and the provider in any case.
end_server() {
  end_provider
  [ -n "$SERVER" ] || return 0
  kill -TERM "$SERVER" 2>/dev/null || true
  wait "$SERVER" 2>/dev/null || true
}

end_provider() {
  [ -n "$PROVIDER" ] || return 0
  kill -TERM "$PROVIDER" 2>/dev/null || true
  wait "$PROVIDER" 2>/dev/null || true
  PROVIDER=''
}

browser_tests() {
  # Some tests start their own site.
  local program
  program=$(realpath "$BINARY")
  if ! (cd web && BASE_URL=$ADDRESS DATA_DIR=$WORK/data LANTERN_BINARY=$program CHROMIUM=$(browser) npm run --silent e2e -- "$@"); then
    say "The server's last lines:"
    tail -n 20 "$WORK/logs/server.log"
    return 1
  fi
}

# Compares the main screens while no test has changed the data yet.
looks() {
  browser_tests --config looks.config.ts "$@" && return 0
  say "Current screenshots and differences are in web/test-results/looks."
  say "If the changes are intended, run ./dev looks --update."
  return 1
}

# Sends generated valid and invalid requests to the running program. Each response must match the API document, and invalid requests
# must be refused.
api_properties() {
  local checks=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance
  checks+=,response_schema_conformance,negative_data_rejection
  "$VENV/bin/schemathesis" --config-file site/tests/properties/schemathesis.toml run "${ADDRESS}api/openapi.json" \
    --checks "$checks" --continue-on-failure --max-examples "$PROPERTIES" --seed "$SEED" "$@"
}

# Does the same while logged in as the demo member, but without checking refusals: with a session, it is impossible to see that calls
# without one are refused.
member_properties() {
  LANTERN_MEMBER=demo:demo-lantern "$VENV/bin/schemathesis" --config-file site/tests/properties/schemathesis.toml \
    run "${ADDRESS}api/openapi.json" --checks not_a_server_error,status_code_conformance,response_schema_conformance \
    --exclude-path-regex '^/api/(log|signup|restore|confirm|account[.])' --continue-on-failure --max-examples "$PROPERTIES" --seed "$SEED" "$@"
}

# in_halves RUN: splits the calls into two halves and runs both in parallel, because a run spends half of its time waiting.
in_halves() {
  local status=0 other first='api/([a-l]|m[eu])'
  "$1" --include-path-regex "^/$first" >"$WORK/half.log" 2>&1 &
  other=$!
  "$1" --include-path-regex "^/(?!$first)" || status=$?
  wait "$other" || status=$?
  cat "$WORK/half.log"
  return "$status"
}

