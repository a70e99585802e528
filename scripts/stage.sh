# shellcheck shell=bash
# Runs checks as stages with logs, and prints their results. Sourced by `dev`.

# How many of a failed stage's log lines are shown.
readonly TAIL=80

WORK='' TMP_IN_MEMORY='' BACKGROUND=''
names=() times=() marks=()

begin_tests() {
  WORK=$(mktemp -d "${TMPDIR:-/tmp}/lantern-dev-XXXXXX")
  trap 'end_server; [ -z "$BACKGROUND" ] || wait "$BACKGROUND"; rm -rf "$WORK" "$TMP_IN_MEMORY" || true' EXIT
  # Lantern switches from root to another user, who must be able to enter the folder.
  chmod 755 "$WORK"
  mkdir "$WORK/logs"
  mkdir -p "$TARGET"
  export NO_COLOR=1
  # The program's tests and the browser tests share the rendered clips.
  export LANTERN__MEDIA__FOLDER="$WORK/media"
  restore_clips "$WORK/media"
}

# stage NAME COMMAND…: runs a command with its output in a log. If the command fails, it prints the end of the log and exits.
stage() {
  local name=$1 begin=$SECONDS log
  shift
  log="$WORK/logs/${#names[@]}-${name// /-}.log"
  names+=("$name")
  printf '%s' "▸ $name … "
  # The subshell has its own `set -e`, so that a failure anywhere in a function fails the stage.
  set +e
  (
    set -e
    "$@"
  ) >"$log" 2>&1 </dev/null
  local status=$?
  set -e
  times+=("$((SECONDS - begin))")
  if [ "$status" != 0 ]; then
    say "${RED}failed${PLAIN} after $((SECONDS - begin)) s; the end of its output:"
    tail -n "$TAIL" "$log"
    marks+=(FAILED)
    table
    exit 1
  fi
  # A stage with a skipped check has not passed.
  if grep -q '^NOT CHECKED' "$log"; then
    marks+=("NOT CHECKED")
    say "${RED}not checked${PLAIN} ${DIM}$((SECONDS - begin)) s${PLAIN}"
    grep '^NOT CHECKED' "$log"
    return
  fi
  marks+=(ok)
  say "${GREEN}ok${PLAIN} ${DIM}$((SECONDS - begin)) s${PLAIN}"
}

# background COMMAND…: starts a command in the background. The stage `join_background` waits for it and prints its output.
background() {
  (
    status=0
    "$@" >"$WORK/background.log" 2>&1 </dev/null || status=$?
    echo "$status" >"$WORK/background.status"
  ) &
  BACKGROUND=$!
}

join_background() {
  until [ -s "$WORK/background.status" ]; do sleep 0.2; done
  cat "$WORK/background.log"
  return "$(cat "$WORK/background.status")"
}

# Prints the stages with their durations and results.
table() {
  local at
  say ''
  for at in "${!names[@]}"; do
    printf '  %-24s %6s s  %s\n' "${names[$at]}" "${times[$at]}" "${marks[$at]}"
  done
  printf '  %-24s %6s s\n\n' total "$SECONDS"
}

# Prints how many stages have skipped checks, for the last line.
not_checked() {
  local mark count=0
  for mark in "${marks[@]}"; do
    if [ "$mark" = "NOT CHECKED" ]; then count=$((count + 1)); fi
  done
  if [ "$count" != 0 ]; then printf '; %s of %s stages NOT CHECKED' "$count" "${#marks[@]}"; fi
}
