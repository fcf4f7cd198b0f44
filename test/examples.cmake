# What a user copies (examples/): built and run as the comments at their heads say.
if(TARGET warpcheck AND NOT WARPCHECK_SANITIZE)
  add_test(NAME examples COMMAND ${CMAKE_CURRENT_LIST_DIR}/cli/examples.sh $<TARGET_FILE:warpcheck>)
  set_tests_properties(examples PROPERTIES LABELS cli TIMEOUT 900 ENVIRONMENT "CC=${CMAKE_C_COMPILER};NO_COLOR=1")
  warpcheck_sampled(examples ${CMAKE_CURRENT_LIST_DIR}/cli/examples.sh $<TARGET_FILE:warpcheck>)
endif()
