# Whole kernels, executed.
warpcheck_test(kernel_row unit warpcheck-kernel)
warpcheck_test(kernel_execute unit warpcheck-kernel warpcheck-spec)
warpcheck_test(kernel_museum replay warpcheck-kernel warpcheck-spec)
# Mistakes planted in the executor: each must be noticed.
add_test(NAME kernel_mutants COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/kernel_mutants.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
set_tests_properties(kernel_mutants PROPERTIES LABELS slow)
