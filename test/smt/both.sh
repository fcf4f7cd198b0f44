#!/usr/bin/env bash
# both.sh WARPCHECK: every fifth property of the catalogue by both solvers; WARPCHECK_SLOW=all: every one.
set -eu
step=5
[ "${WARPCHECK_SLOW:-}" != all ] || step=1
mapfile -t names < <("$1" list properties | awk -v step=$step '$2 == "PROVED" || $2 == "REFUTED" { if (n++ % step == 0) print $1 }')
[ "${#names[@]}" -ge 10 ] || { echo "the catalogue is not listed"; exit 1; }
echo "${#names[@]} properties"
exec "$1" prove --quiet --solver both --timeout 120 --jobs 2 "${names[@]}"
