# The base, and the layers: what may include what.
warpcheck_test(base_text unit warpcheck-base)
warpcheck_test(base_file unit warpcheck-base)
warpcheck_test(base_process unit warpcheck-base)
add_test(NAME layers COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_SOURCE_DIR}/build/layers.cmake WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(layers PROPERTIES LABELS unit)
add_test(NAME once COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_SOURCE_DIR}/build/once.cmake WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(once PROPERTIES LABELS unit)
add_test(NAME columns COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/build/columns.sh)
set_tests_properties(columns PROPERTIES LABELS docs)
add_test(NAME links COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/build/links.sh)
set_tests_properties(links PROPERTIES LABELS unit)
# What planted mistakes change is still there: the tests that plant them are mostly slow ones.
add_test(NAME planted_there COMMAND sh -c "for set in kernel pair make prover; do ./planted.sh .. build $set --there || exit 1; done"
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
set_tests_properties(planted_there PROPERTIES LABELS unit)
