# Tests of the program itself: shell scripts that run it.
function(warpcheck_cli_test name timeout)
  add_test(NAME cli_${name} COMMAND ${PROJECT_SOURCE_DIR}/test/cli/${name}.sh $<TARGET_FILE:warpcheck> ${ARGN})
  set_tests_properties(cli_${name} PROPERTIES LABELS cli TIMEOUT ${timeout}
    ENVIRONMENT "CC=${CMAKE_C_COMPILER};WARPCHECK_ROOT=;NO_COLOR=1")
endfunction()

if(TARGET warpcheck)
  warpcheck_cli_test(commands 300)
  warpcheck_cli_test(errors 300)
  warpcheck_cli_test(json 300 ${WARPCHECK_HAVE_JANSSON})
  warpcheck_cli_test(interrupt 120)
  # A plugin that is compiled here cannot be loaded into a program with another sanitizer runtime.
  if(NOT WARPCHECK_SANITIZE)
    if(TARGET test_plugin_crash)
      warpcheck_cli_test(crash 120 $<TARGET_FILE:test_plugin_crash>)
    endif()
    add_test(NAME cli_builtin_crash COMMAND ${PROJECT_SOURCE_DIR}/test/cli/builtin_crash.sh $<TARGET_FILE:warpcheck-crashing>)
    set_tests_properties(cli_builtin_crash PROPERTIES LABELS cli TIMEOUT 60)
    warpcheck_cli_test(batch 300 $<TARGET_FILE:test_plugin_batch>)
    warpcheck_cli_test(mutants 900 $<TARGET_FILE:warpcheck-mutants>)
    warpcheck_cli_test(patched_fast 900 $<TARGET_FILE:warpcheck-model>)
  endif()
endif()
