#!/bin/sh -eu
exec "$SRC/warpcheck/fuzz/build.sh"
