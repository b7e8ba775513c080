#!/bin/sh
# Installs tofud: fetches the tarball of this machine, checks its sum, and unpacks it below a prefix. Needs no root.
#
#   sh install.sh [--prefix DIR] [--from URL|DIR] [--version X.Y.Z]
#
# DIR: ~/.local, or /usr/local for root. URL: where the files of the release are; a directory will do as well.
set -eu

version=@VERSION@
prefix=
from=${TOFUD_RELEASES:-}

fail() {
  echo "install.sh: $*" >&2
  exit 1
}
while [ $# -gt 0 ]; do
  case $1 in
    --prefix | --from | --version) [ $# -gt 1 ] || fail "$1 needs a value" ;;
    *) fail "there is no option $1; use --prefix DIR, --from URL, --version X.Y.Z" ;;
  esac
  case $1 in
    --prefix) prefix=$2 ;;
    --from) from=$2 ;;
    --version) version=$2 ;;
  esac
  shift 2
done
[ -n "$from" ] || fail "name the place of the release's files: --from URL (or TOFUD_RELEASES)"
[ -n "$prefix" ] || { if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi; }
case $(uname -s)-$(uname -m) in
  Linux-x86_64) machine=amd64 ;;
  Linux-aarch64) machine=arm64 ;;
  *) fail "there is no tofud for $(uname -s) on $(uname -m)" ;;
esac
name=tofud-$version-linux-$machine
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fetch() {
  if [ -d "$from" ]; then
    cp "$from/$1" "$work/$1"
  elif command -v curl >/dev/null; then
    curl -fsSL -o "$work/$1" "${from%/}/$1"
  else
    wget -q -O "$work/$1" "${from%/}/$1"
  fi || fail "can't fetch $1 from $from"
}
fetch SHA256SUMS
fetch "$name.tar.gz"
(cd "$work" && grep " $name.tar.gz\$" SHA256SUMS >sum && sha256sum -c sum >/dev/null) || fail "the sum of $name.tar.gz is wrong; nothing was installed"
mkdir -p "$prefix" && prefix=$(cd "$prefix" && pwd) || fail "can't write to $prefix; choose another --prefix"
tar -xzf "$work/$name.tar.gz" -C "$work"
for unit in "$work/$name"/lib/systemd/*/tofud.service; do
  awk -v program="\"$prefix/bin/tofud\"" '{ at = index($0, "/usr/local/bin/tofud")
    if (at) $0 = substr($0, 1, at - 1) program substr($0, at + 20); print }' "$unit" >"$work/unit" && cp "$work/unit" "$unit"
done
(cd "$work/$name" && tar -cf - .) | tar -xf - --no-same-owner -C "$prefix" || fail "can't write to $prefix; choose another --prefix"
echo "installed $("$prefix/bin/tofud" --version) in $prefix/bin"
