# PTX lines and programs.
warpcheck_test(ptx unit warpcheck-program)
warpcheck_test(ptx_errors unit warpcheck-program)
warpcheck_test(program unit warpcheck-program)
warpcheck_test(program_errors unit warpcheck-program)
warpcheck_test(program_compute unit warpcheck-program m)
warpcheck_test(program_execute unit warpcheck-program warpcheck-spec)
