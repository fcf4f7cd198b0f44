# Whole kernels, executed.
warpcheck_test(kernel_row unit warpcheck-kernel)
warpcheck_test(kernel_execute unit warpcheck-kernel warpcheck-spec)
warpcheck_test(kernel_museum replay warpcheck-kernel warpcheck-spec)
