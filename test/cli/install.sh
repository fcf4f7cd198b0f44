#!/usr/bin/env bash
# ./warpcheck asks for the packages that a command uses, and looks again for those that somebody has installed since.
# The tools that it calls are stand-ins here.
# usage: install.sh PROGRAM
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

mkdir bin
echo '#!/bin/sh
for package; do :; done
grep -qxF "$package" have && echo installed' >bin/dpkg-query
echo '#!/bin/sh' >bin/apt-get
echo "#!/bin/sh
echo >>configured
mkdir -p build/cli
touch build/build.ninja
echo CMAKE_HOME_DIRECTORY:INTERNAL=$ROOT >build/CMakeCache.txt" >bin/cmake
echo '#!/bin/sh
printf "#!/bin/sh\necho ran \$*\n" >build/cli/warpcheck
chmod +x build/cli/warpcheck' >bin/ninja
chmod +x bin/*
export PATH=$PWD/bin:$PATH WARPCHECK_BUILD=$PWD/build WARPCHECK_INSTALL=0
script=$ROOT/warpcheck
printf '%s\n' gcc libc6-dev cmake ninja-build pkg-config libjansson-dev zlib1g-dev >have

# calls EXPECTED_CONFIGURATIONS COMMAND...
calls() {
    local expected=$1
    shift
    status 0 "$script" "$@"
    holds out "^ran $*"
    [ "$(wc -l <configured)" -eq "$expected" ] || fail "configured $(wc -l <configured) times after $*, not $expected"
}

# Farms' machines have compilers, and what their files of instructions install.
for file in .clusterfuzzlite/Dockerfile fuzz/oss-fuzz/Dockerfile; do
    for package in ninja-build pkg-config libjansson-dev zlib1g-dev; do
        grep -qw -- "$package" "$ROOT/$file" || fail "$file does not install $package, without which nothing is configured"
    done
done

status 2 "$script" nonsense
holds err "unknown command 'nonsense'"
status 0 "$script" --help
holds out 'WARPCHECK_INSTALL=0'
status 0 "$script" --version
[ ! -e build ] || fail 'what needs no program builds one'
# A library that every build needs: one line, before anything is configured.
sed -i /libjansson-dev/d have
status 2 env PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH= "$script" explain shfl
holds err 'jansson is missing; install it with: sudo apt-get install '
[ ! -e configured ] || fail 'configured without what every build needs'
echo libjansson-dev >>have

calls 1 explain shfl
lacks err 'going on without'
calls 2 prove
holds err 'going on without cvc5 libz3-dev: .*: sudo apt-get install cvc5 libz3-dev$'
calls 2 prove
lacks err 'going on without'
echo libz3-dev >>have
calls 3 prove
echo cvc5 >>have
calls 4 prove
calls 4 prove
calls 4 score
printf '%s\n' clang libclang-rt-dev llvm >>have
calls 5 run --impl ./mine.so
lacks err 'going on without'
calls 6 score --checks libfuzzer,afl
holds err 'going on without afl\+\+: '
finish
