# The GPU part: PTX text, the child process and its watchdog, recordings, ptxas as the judge. Only gpu_device needs a
# GPU.
warpcheck_test(gpu_text unit warpcheck-gpu)
warpcheck_test(gpu_worker unit warpcheck-gpu warpcheck-spec)
warpcheck_test(gpu_throughput unit warpcheck-gpu warpcheck-spec)
warpcheck_test(gpu_emit unit warpcheck-ptxtext warpcheck-spec)
warpcheck_test(gpu_launch unit warpcheck-gpu)
warpcheck_test(gpu_device gpu warpcheck-gpu warpcheck-spec warpcheck-check)
warpcheck_test(legality unit warpcheck-legality)
warpcheck_test(legality_ptxas slow warpcheck-legality)
warpcheck_test(recording unit warpcheck-recording warpcheck-spec warpcheck-fast warpcheck-check)
set_tests_properties(recording PROPERTIES LABELS "unit;replay")
