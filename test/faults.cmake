# Set-ups made to fail: no memory, process, thread, file, space, mapping at the n-th call. A sanitizer's runtime has an
# allocator of its own.
if(TARGET warpcheck AND NOT WARPCHECK_SANITIZE)
  add_library(test_inject MODULE ${CMAKE_CURRENT_LIST_DIR}/faults/inject.c)
  target_compile_options(test_inject PRIVATE -fno-builtin)
  target_link_libraries(test_inject PRIVATE warpcheck_flags ${CMAKE_DL_LIBS})
  set(faults ${CMAKE_CURRENT_LIST_DIR}/faults/faults.sh $<TARGET_FILE:warpcheck> $<TARGET_FILE:test_inject> $<TARGET_FILE:warpcheck-mutants> ${PROJECT_SOURCE_DIR})
  add_test(NAME faults COMMAND ${faults} 2)
  set_tests_properties(faults PROPERTIES LABELS cli PROCESSORS 2 RESOURCE_LOCK machine TIMEOUT 7200)
  add_test(NAME faults_all COMMAND ${faults} 60)
  set_tests_properties(faults_all PROPERTIES LABELS "cli;slow" PROCESSORS 3 TIMEOUT 14400 COST 800)
endif()
