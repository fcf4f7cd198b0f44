#!/usr/bin/env bash
# A plugin that hangs on one case: it is said after 5 seconds for which case it is waited, and the case is reduced.
# usage: hang.sh PROGRAM PLUGIN
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
PLUGIN=$(realpath "${2:?the plugin of mutants}")
unset WARPCHECK_PLUGIN_TIMEOUT_MS
mkdir no-cases # so that an enumeration comes first, which asks many cases in one call
status 1 "$WARPCHECK" run --impl "$PLUGIN:match-nan-never-ends" --only match --seconds 0.1 --corpus no-cases --out found
holds err ': no answer for 5 s to [0-9]+ cases, which are now asked one by one; the first is warp1 match'
holds err ': no answer for 5 s to warp1 match.* \(a call may take [0-9]+ s; WARPCHECK_PLUGIN_TIMEOUT_MS\)$'
holds out '^cause: in any alone: a loop over the values compares them as floats: it never ends at a NaN, .* \(explains all [0-9,]+ hangs, and all '
holds found/match.sync-hang/finding.txt '^warp1 match.any.sync.b32 d .* active=0x1 a=0x7f[8c]0000[01],0x0\*31 membermask=0x1'
finish
