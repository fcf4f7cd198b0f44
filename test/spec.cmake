warpcheck_test(spec unit warpcheck-spec)
