#!/usr/bin/env bash
# The program for 64-bit Arm under an emulator: fast-neon against the transcription in batches, enumerations, the corpus' case files and
# random cases.
#   fast_neon_run.sh CC QEMU FOLDER
set -eu
cc=$1 qemu=$2 folder=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$folder/cli/warpcheck

mkdir -p "$folder"
# Only what the C library alone can build: the other components are installed for this machine's processor.
{
    cmake -S "$root" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_EXE_LINKER_FLAGS=-static -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DBUILD_TESTING=OFF \
        -DWARPCHECK_SMT=OFF -DWARPCHECK_GPU=OFF -DWARPCHECK_FUZZ=OFF -DWARPCHECK_BENCH=OFF
    cmake --build "$folder" --target warpcheck -j "$(nproc)"
} >"$folder/log" 2>&1 || {
    tail -n 40 "$folder/log"
    exit 1
}

# Recordings of devices are compressed, and zlib for Arm is not asked for: they are left out here.
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
cp -r "$root/corpus/." "$corpus"
rm -rf "$corpus/recordings"

# Says what was checked only when the exit status is 0 and the report names the variant with cases and no mismatch.
agrees() {
    "$qemu" "$program" "$@" --impl fast-neon --out "$corpus/findings" >"$folder/report" 2>"$folder/errors" || {
        tail -n 30 "$folder/report" "$folder/errors"
        echo "fast-neon: 'warpcheck $1' fails"
        exit 1
    }
    grep -E '^fast-neon +[1-9][0-9,]+ cases +0 mismatches +against spec$' "$folder/report" || {
        tail -n 30 "$folder/report"
        echo "fast-neon: 'warpcheck $1' did not check it"
        exit 1
    }
}
agrees batch --seed 2
agrees run --no-proofs --seconds 5 --corpus "$corpus"
echo "the program for 64-bit Arm agrees"
