# The other builds: warnings are errors under both compilers, and the unit tests run under the sanitizers.
# LEFT: long tests that only the other configurations run, without WARPCHECK_SLOW=all.
function(warpcheck_configuration preset labels left)
  add_test(NAME build_${preset}
    COMMAND ${PROJECT_SOURCE_DIR}/test/build/configuration.sh ${preset} ${PROJECT_BINARY_DIR}/configurations/${preset} "${labels}" 2 "${left}")
  set_tests_properties(build_${preset} PROPERTIES LABELS slow TIMEOUT 14400 PROCESSORS 2 COST 1000 # the longest begin
    SKIP_RETURN_CODE 77)
endfunction()

if(NOT WARPCHECK_SANITIZE)
  warpcheck_configuration(dev "unit" "^(cause|entries)$")
  warpcheck_configuration(asan "unit|replay" "")
  warpcheck_configuration(msan "unit" "^(cause|entries)$")
  add_test(NAME install COMMAND ${PROJECT_SOURCE_DIR}/test/build/install.sh ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})
  set_tests_properties(install PROPERTIES LABELS cli)
endif()
