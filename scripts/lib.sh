# Functions of the other scripts: the tree's path, processes, Debian packages, the virtual environment.
# Source it after `set -euo pipefail`.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/pyredisson
unset PYTHONDONTWRITEBYTECODE # or each process of a test would compile all modules again

say() { printf '%s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# as_root COMMAND...: run a command as root, or with a sudo that needs no password; fail if neither
# is possible.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif have sudo && sudo -n true 2>/dev/null; then sudo -n "$@"
  else return 1
  fi
}

# started PID: print when a process started (Linux); two processes with the same PID differ in it.
started() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }

# end_left_behind: kill the processes of test runs that were killed. All processes of a run have the
# variable PYREDISSON_RUN: its PID, and when it started.
end_left_behind() {
  local file run killed=true
  while $killed; do # they may have started others meanwhile
    killed=false
    for file in $(grep -lsz '^PYREDISSON_RUN=' /proc/[0-9]*/environ); do
      run=$(tr '\0' '\n' 2>/dev/null <"$file" | sed -n 's/^PYREDISSON_RUN=//p') || continue
      [ -n "$run" ] && [ "$(started "${run% *}")" != "${run#* }" ] || continue
      kill -9 "$(basename "$(dirname "$file")")" 2>/dev/null && killed=true && sleep 0.1 || true
    done
  done
}

# apt_install PACKAGE...: install the missing packages, without starting their services. If that is
# not possible, print what to install, and fail.
apt_install() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' ||
      missing+=("$package")
  done
  [ ${#missing[@]} = 0 ] && return
  if ! have apt-get || ! as_root true; then
    say "please install: ${missing[*]} (Debian's names)"
    return 1
  fi
  say "installing: ${missing[*]}"
  mkdir -p "$cache"
  # One run at a time, also an apt-get that outlives a killed run: it has inherited the lock.
  (! have flock || flock 8; apt_get_install "${missing[@]}") 8>"$cache/apt.lock" ||
    { say "please install: ${missing[*]} (apt-get could not)"; return 1; }
}

apt_get_install() {
  unset PYREDISSON_RUN # nobody kills dpkg
  # 101 means "forbidden by policy": the package does not start its server, as tests start their own.
  local policy=/usr/sbin/policy-rc.d ours='#!/bin/sh
exit 101 # while pyredisson installs packages' failed=0
  [ -e $policy ] || echo "$ours" | as_root install -m 755 /dev/stdin $policy || true
  local quiet=(env DEBIAN_FRONTEND=noninteractive)
  as_root "${quiet[@]}" dpkg --configure -a >/dev/null </dev/null || true # what a killed run has left
  local install=("${quiet[@]}" apt-get install -qq -y --no-install-recommends "$@")
  as_root "${install[@]}" >/dev/null </dev/null || {
    as_root apt-get update -qq >&2 </dev/null || true # a broken third-party source does not matter
    as_root "${install[@]}" >/dev/null </dev/null
  } || failed=1
  [ "$(cat $policy 2>/dev/null)" != "$ours" ] || as_root rm -f $policy
  return $failed
}

# base_python: print the base interpreter: PYTHON=, or the first known one that is 3.11 or newer.
base_python() {
  local name
  have python3 || apt_install python3 || true
  for name in ${PYTHON:-python3 python3.15 python3.14 python3.13 python3.12 python3.11}; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
  say "please install Python 3.11 or newer, or set PYTHON= to its path"
  return 1
}

# install ARGUMENT...: what `pip install` does, by uv in a fifth of the time; by pip where uv cannot.
install() {
  local index
  "$python" -m pip install -q --upgrade 'pip>=25.1'
  "$python" -m pip install -q uv || true
  index=${PIP_INDEX_URL:-$("$python" -m pip config get global.index-url 2>/dev/null || true)}
  UV_DEFAULT_INDEX=$index "${python%/*}/uv" pip install -q --system-certs --python "$python" "$@" \
    2>/dev/null || "$python" -m pip install -q --no-compile "$@"
}

# make_venv [NAME GROUP...]: make $root/NAME with the project (editable) and these dependency groups,
# by default .venv with test, integrations and lint, and set $python. It is made again only if
# pyproject.toml, the interpreter or the tree's path has changed.
make_venv() {
  [ $# != 0 ] || set -- .venv test integrations lint
  local base stamp venv=$root/$1
  shift
  python=$venv/bin/python
  base=$(base_python)
  stamp=$(cat "$root/pyproject.toml" <("$base" -VV) <(echo "$root") | cksum)
  [ -x "$python" ] && [ "$(cat "$venv/stamp" 2>/dev/null)" = "$stamp" ] && return
  say "making ${venv##*/} with $("$base" -V)"
  "$base" -c 'import ensurepip, venv' 2>/dev/null ||
    apt_install "python$("$base" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"
  "$base" -m venv --clear "$venv"
  install -e "$root" "${@/#/--group=$root/pyproject.toml:}"
  echo "$stamp" >"$venv/stamp"
}
