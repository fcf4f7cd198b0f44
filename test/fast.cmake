warpcheck_test(fast unit warpcheck-fast warpcheck-spec)
