# shellcheck shell=bash
# Checks for Rust and Node, and installs missing system packages. Sourced by `dev`.

readonly NODE=20.19
# Whether --yes was given, and the user's answer when asked whether packages may be installed.
YES='' CONSENT=''

have() { command -v "$1" >/dev/null 2>&1; }

# at_least WANTED FOUND: compares dotted version numbers.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)" = "$1" ]; }

# Finds programs that rustup and `cargo install` put where a non-login shell does not look.
cargo_on_path() { [ ! -d "$HOME/.cargo/bin" ] || PATH="$PATH:$HOME/.cargo/bin"; }

need_rust() {
  local wanted found
  cargo_on_path
  wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
  have cargo || die "Rust $wanted or newer is needed, but cargo is not on the PATH; install it from https://rustup.rs"
  found=$(rustc --version | cut -d' ' -f2)
  at_least "$wanted" "$found" || die "Rust $wanted or newer is needed, this is $found; run: rustup update stable"
}

need_node() {
  local found
  have node || die "Node $NODE or newer is needed, but node is not on the PATH; install it from https://nodejs.org"
  have npm || die "npm is needed in addition to Node; install it from https://nodejs.org"
  found=$(node --version)
  at_least "$NODE" "${found#v}" || die "Node $NODE or newer is needed, this is $found; see https://nodejs.org"
}

postgres_bin() {
  local dir found=''
  if have initdb && have postgres; then return 0; fi
  for dir in /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql@*/bin /usr/local/opt/postgresql@*/bin; do
    if [ -x "$dir/initdb" ] && [ -x "$dir/postgres" ]; then found=$dir; fi
  done
  [ -n "$found" ] || return 1
  PATH="$PATH:$found"
}

# Prefers the headless shell, which is the same browser but uses a quarter less CPU time.
browser() {
  local name
  for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    if have "$name"; then
      command -v "$name"
      return 0
    fi
  done
  local app='/Applications/Chromium.app/Contents/MacOS/Chromium'
  [ -x "$app" ] && printf '%s\n' "$app"
}

# missing THING…: prints the things that are not installed.
missing() {
  local thing
  for thing in "$@"; do
    case $thing in
      postgres) postgres_bin || say postgres ;;
      ffmpeg) if ! have ffmpeg || ! have ffprobe; then say ffmpeg; fi ;;
      compiler) have cc || say compiler ;;
      # On Debian, nginx is not on the PATH of ordinary users.
      nginx) have nginx || [ -x /usr/sbin/nginx ] || say nginx ;;
      chromium) browser >/dev/null || say chromium ;;
      # Some systems ship Python without support for virtual environments.
      python) python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || say python ;;
      *) have "$thing" || say "$thing" ;;
    esac
  done
}

# package MANAGER THING: prints a thing's package name.
package() {
  case $1:$2 in
    apt-get:postgres) say postgresql ;;
    apt-get:compiler) say build-essential ;;
    apt-get:python) say python3-venv ;;
    dnf:postgres) say postgresql-server ;;
    dnf:compiler) say gcc ;;
    dnf:python) say python3 ;;
    dnf:shellcheck) say ShellCheck ;;
    pacman:postgres) say postgresql ;;
    pacman:compiler) say base-devel ;;
    brew:postgres) say postgresql@17 ;;
    brew:compiler) say gcc ;;
    brew:python) say python@3.13 ;;
    *) say "$2" ;;
  esac
}

# root COMMAND…: runs a command as root without a password prompt.
root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
may_be_root() { [ "$(id -u)" = 0 ] || { have sudo && sudo -n true 2>/dev/null; }; }

# consent PACKAGE…: asks on a terminal, once per run, before sudo is used. It succeeds without asking if it runs as root, with --yes,
# in CI or without a terminal.
consent() {
  local answer=''
  if [ "$(id -u)" = 0 ] || [ -n "$YES${CI:-}" ] || [ ! -t 0 ]; then return 0; fi
  if [ -z "$CONSENT" ]; then
    read -r -p "dev: missing: $*. Install them, and others needed later, with sudo? [y/N] " answer || say ''
    case $answer in [yY] | [yY][eE][sS]) CONSENT=yes ;; *) CONSENT=no ;; esac
  fi
  [ "$CONSENT" = yes ]
}

# need THING…: installs missing things with the system's package manager, or prints the command to run.
need() {
  local things manager thing refresh='' packages=() install=()
  things=$(missing "$@" | tr '\n' ' ')
  [ -n "$things" ] || return 0
  for manager in apt-get dnf pacman brew none; do have "$manager" && break; done
  for thing in $things; do packages+=("$(package "$manager" "$thing")"); done
  case $manager in
    apt-get) install=(apt-get install -y --no-install-recommends) ;;
    dnf) install=(dnf install -y) ;;
    pacman) install=(pacman -S --noconfirm --needed) ;;
    brew) install=(brew install) ;;
    none) die "please install: ${things}(no supported package manager found)" ;;
  esac
  install+=("${packages[@]}")
  if [ "$manager" != brew ]; then
    [ "$manager" != apt-get ] || refresh='sudo apt-get update && '
    may_be_root || die "missing: ${things}- and $(id -un) may not install packages here. Run this command and try again:
  ${refresh}sudo ${install[*]}"
    consent "${packages[@]}" || die "missing: ${things}- nothing was installed. Run this command and try again:
  ${refresh}sudo ${install[*]}"
  fi
  say "${BOLD}▸ Installing ${packages[*]}${PLAIN} ${DIM}($manager)${PLAIN}"
  case $manager in
    apt-get) install_debian "${install[@]}" ;;
    brew) "${install[@]}" </dev/null ;;
    *) root "${install[@]}" </dev/null ;;
  esac
  things=$(missing "$@" | tr '\n' ' ')
  [ -z "$things" ] || die "still missing after installation: $things"
}

# Debian's server packages start their services: a cluster on port 5432, nginx on port 80. Lantern runs its own services, so temporary
# settings for the package scripts prevent that.
install_debian() {
  local folder=/etc/postgresql-common/createcluster.d policy=/usr/sbin/policy-rc.d note status=0
  note=$folder/lantern-no-main-cluster.conf
  root env DEBIAN_FRONTEND=noninteractive apt-get -q update </dev/null
  root mkdir -p "$folder"
  printf 'create_main_cluster = false\n' | root tee "$note" >/dev/null
  if [ -e "$policy" ]; then
    policy=''
  else
    printf '#!/bin/sh\nexit 101\n' | root tee "$policy" >/dev/null
    root chmod 755 "$policy"
  fi
  root env DEBIAN_FRONTEND=noninteractive "$@" </dev/null || status=$?
  [ -z "$policy" ] || root rm -f "$policy"
  # Don't start nginx at the next boot either.
  case " $* " in *' nginx '*) ! have systemctl || root systemctl disable --quiet nginx || true ;; esac
  root rm -f "$note"
  root rmdir --ignore-fail-on-non-empty "$folder" "${folder%/*}" || true
  [ "$status" = 0 ] || die "installation failed: $*"
}

# On Debian, the headless browser is a separate package. If it is unavailable or declined, the full browser is used.
lacks_headless_browser() {
  if have chromium-headless-shell || ! have apt-get || ! may_be_root; then return 1; fi
  apt-cache show chromium-headless-shell >/dev/null 2>&1
}

# Asks for consent to install the headless browser, because `headless_browser` runs as a stage and thus without a terminal.
ask_for_headless_browser() { ! lacks_headless_browser || consent chromium-headless-shell || true; }

headless_browser() {
  if [ "$CONSENT" = no ] || ! lacks_headless_browser; then return 0; fi
  (install_debian apt-get install -y --no-install-recommends chromium-headless-shell) || say "Using the full browser instead"
}
