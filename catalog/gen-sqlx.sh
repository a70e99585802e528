#!/bin/sh
# Regenerates catalog/.sqlx, the offline data of sqlx::query!: starts a throw-away Postgres with the binaries at
# hand, applies the migrations with psql and lets the compiler ask it about every query. `--check` only compares.
set -eu
cd "$(dirname "$0")"
here=$(pwd)
bin=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
PATH="$PATH${bin:+:$bin}"
work=$(mktemp -d /tmp/lantern-sqlx-XXXXXX)
as=""
if [ "$(id -u)" = 0 ]; then
    chown postgres "$work"
    as="setpriv --reuid postgres --regid postgres --clear-groups"
fi
stop() {
    if [ -f "$work/data/postmaster.pid" ]; then
        (cd / && $as pg_ctl -D "$work/data" -m immediate stop >/dev/null) || true
    fi
    rm -rf "$work"
}
trap stop EXIT INT TERM
(
    cd /
    $as initdb -D "$work/data" -U lantern -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
    $as pg_ctl -D "$work/data" -w -l "$work/log" \
        -o "-c listen_addresses='' -c fsync=off -c unix_socket_directories=$work" start >/dev/null
)
for migration in migrations/*.sql; do
    psql -h "$work" -U lantern -d postgres -q -v ON_ERROR_STOP=1 -f "$migration"
done
fresh="$work/sqlx"
mkdir "$fresh"
# The macros only write what they compile: make cargo look at the crate again.
touch -r src/lib.rs "$work/lib"
touch src/lib.rs
DATABASE_URL="postgres://lantern@localhost/postgres?host=$work" SQLX_OFFLINE=false SQLX_OFFLINE_DIR="$fresh" \
    cargo check --release -p lantern-catalog
if [ "${1:-}" = --check ]; then
    diff -r "$fresh" "$here/.sqlx"
    # As old as it was: what was built of it with the same data stays.
    touch -r "$work/lib" src/lib.rs
else
    rm -rf "$here/.sqlx"
    cp -r "$fresh" "$here/.sqlx"
    touch src/lib.rs
fi
