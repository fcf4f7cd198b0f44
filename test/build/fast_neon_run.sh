#!/usr/bin/env bash
# fast-neon against the transcription in a program for 64-bit Arm, under an emulator: batches, enumerations, the corpus'
# case files and random cases. Only what the C library alone can build (test/fast_campaign.c); the other libraries are
# installed for this machine's processor.
#   fast_neon_run.sh CC QEMU FOLDER
set -eu
cc=$1 qemu=$2 folder=$3
root=$(cd "$(dirname "$0")/../.." && pwd)

rm -rf "$folder"
mkdir -p "$folder"
cd "$root"
find base check model test/fast_campaign.c -name '*.c' ! -path '*/avx2/*' ! -path '*/avx512/*' >"$folder/sources"
# shellcheck disable=SC2016 # the inner shell expands them
if ! xargs -P "$(nproc)" -I@ sh -c 'name=$(printf %s "$4" | tr / -) && exec "$1" -std=c17 -O2 -Wall -Wextra -Werror -DWARPCHECK_FAST_NEON \
    -I"$2" -I"$2/model/include" -I"$2/model/spec" -I"$2/model/fast" -I"$2/model" -c "$4" -o "$3/$name.o"' sh "$cc" "$root" "$folder" @ \
    <"$folder/sources" >"$folder/log" 2>&1 || ! "$cc" -static "$folder"/*.o -lpthread -ldl -lm -o "$folder/fast_campaign" >>"$folder/log" 2>&1; then
    tail -n 40 "$folder/log"
    exit 1
fi

# Recordings of devices are compressed, and zlib for Arm is not asked for: they are left out here.
"$qemu" "$folder/fast_campaign" fast-neon corpus 5
echo "the program for 64-bit Arm agrees"
