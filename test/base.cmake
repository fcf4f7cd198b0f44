# The base, and the layers: what may include what.
warpcheck_test(base_text unit warpcheck-base)
warpcheck_test(base_file unit warpcheck-base)
warpcheck_test(base_process unit warpcheck-base)
add_test(NAME layers COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_SOURCE_DIR}/build/layers.cmake WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(layers PROPERTIES LABELS unit)
add_test(NAME links COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/build/links.sh)
set_tests_properties(links PROPERTIES LABELS unit)
