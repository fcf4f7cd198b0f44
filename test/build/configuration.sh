#!/usr/bin/env bash
# Builds one preset in its own folder and runs the tests with these labels there.
#   configuration.sh PRESET FOLDER LABELS JOBS [LEFT]
# LEFT are long tests ("^(one|other)$") that run here with WARPCHECK_SLOW=all only: each runs in another configuration.
set -eu
preset=$1 folder=$2 labels=$3 jobs=$4 left=${5:-}
[ "${WARPCHECK_SLOW:-}" != all ] || left=
root=$(cd "$(dirname "$0")/../.." && pwd)

case $preset in
asan | msan | clang)
    command -v clang >/dev/null || {
        echo "UNAVAILABLE: clang is not installed"
        exit 77
    }
    ;;
esac

mkdir -p "$(dirname "$folder")"
cmake -S "$root" --preset "$preset" -B "$folder" >"$folder.log" 2>&1 || {
    tail -n 20 "$folder.log"
    exit 1
}
ninja -C "$folder" -j "$jobs" >>"$folder.log" 2>&1 || {
    tail -n 40 "$folder.log"
    exit 1
}
cd "$folder"
[ -z "$left" ] || echo "without WARPCHECK_SLOW=all these are left to other configurations: $left"
exec ctest --output-on-failure --no-tests=error -j "$jobs" -L "$labels" -LE slow ${left:+-E "$left"}
