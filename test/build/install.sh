#!/usr/bin/env bash
# Installs into a fresh folder and builds a program against the CMake package and against the pkg-config file.
#   install.sh BUILD CC
set -eu
build=$1 cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
cat >"$work/main.c" <<'END'
#include <warpcheck_fast.h>
#include <warpcheck_spec.h>

int main(void)
{
    struct warp_case c;
    struct warp_result x, y;
    char error[64];
    warp_case_init(&c, WARP_VOTE_SYNC_BALLOT_B32);
    c.a[5] = 1;
    if (!spec_get()->eval(spec_get()->state, &c, 1, &x, error, sizeof error) ||
        !fast_get()->eval(fast_get()->state, &c, 1, &y, error, sizeof error))
        return 1;
    return x.d[0] == 0x20 && warp_result_compare(&c, &x, &y, WARP_PART_ALL, 0) ? 0 : 2;
}
END
# The project that users copy.
cp "$(dirname "$0")"/../../examples/package/* "$work"
cat >>"$work/CMakeLists.txt" <<'END'
add_executable(user main.c)
target_link_libraries(user PRIVATE warpcheck::spec warpcheck::fast)
END
cmake -S "$work" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_COMPILER="$cc" >"$work/log" 2>&1 &&
    cmake --build "$work/build" >>"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
"$work/build/user"
"$work/build/ballot"

if command -v pkg-config >/dev/null; then
    file=$(dirname "$(find "$work/prefix" -name warpcheck.pc)")
    # shellcheck disable=SC2046  # flags are words
    "$cc" "$work/main.c" -o "$work/user" $(PKG_CONFIG_PATH=$file pkg-config --cflags --libs warpcheck) -lm
    "$work/user"
fi
# A plugin links what the installed headers declare, from the installed program.
if [ -x "$work/prefix/bin/warpcheck" ]; then
    calls=$(dirname "$0")/../plugins/calls.c
    "$cc" -shared -fPIC -I"$work/prefix/include" "$calls" -o "$work/calls.so"
    "$work/prefix/bin/warpcheck" cross spec "$work/calls.so" --only activemask --cases 1000 --out "$work/findings" >"$work/log" || {
        cat "$work/log"
        exit 1
    }
fi
echo "installed, found by CMake and by pkg-config, and linked"
