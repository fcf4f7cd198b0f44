# Checking: batches, enumerations, random cases, reduction, findings, implementations from outside; and the mutants.
include(${CMAKE_CURRENT_LIST_DIR}/mutants/CMakeLists.txt)

warpcheck_test(mutants unit warpcheck-check warpcheck-spec)
target_compile_definitions(test_mutants PRIVATE MUTANTS_PLUGIN="$<TARGET_FILE:warpcheck-mutants>")
add_dependencies(test_mutants warpcheck-mutants)

warpcheck_test(checker unit warpcheck-check)
warpcheck_test(cause unit warpcheck-check warpcheck-spec)
get_target_property(mutants warpcheck-mutants SOURCES)
target_sources(test_cause PRIVATE ${mutants})
warpcheck_test(filter unit warpcheck-check warpcheck-spec)
warpcheck_test(random unit warpcheck-check)
warpcheck_test(enumerate unit warpcheck-check)
warpcheck_test(reduce unit warpcheck-check)
warpcheck_test(reduce_cost unit warpcheck-check)
warpcheck_test(finding unit warpcheck-check)

warpcheck_test(exhaust exhaustive warpcheck-check warpcheck-spec warpcheck-fast)
target_compile_definitions(test_exhaust PRIVATE MUTANTS_PLUGIN="$<TARGET_FILE:warpcheck-mutants>")
add_dependencies(test_exhaust warpcheck-mutants)

# What is loaded and started by the tests of plugins and pipes: good and bad ones.
foreach(name IN ITEMS bad_version no_entry bad_impl hostile)
  add_library(test_plugin_${name} MODULE ${CMAKE_CURRENT_LIST_DIR}/plugins/${name}.c)
  target_link_libraries(test_plugin_${name} PRIVATE warpcheck_flags warpcheck-model)
endforeach()
add_library(test_plugin_state MODULE ${CMAKE_CURRENT_LIST_DIR}/plugins/state.c)
target_link_libraries(test_plugin_state PRIVATE warpcheck_flags warpcheck-fast)
add_library(test_plugin_slow MODULE ${CMAKE_CURRENT_LIST_DIR}/plugins/slow.c)
target_link_libraries(test_plugin_slow PRIVATE warpcheck_flags warpcheck-fast)
add_library(test_plugin_ending MODULE ${CMAKE_CURRENT_LIST_DIR}/plugins/ending.c)
target_link_libraries(test_plugin_ending PRIVATE warpcheck_flags warpcheck-fast)
add_library(test_plugin_leaving MODULE ${CMAKE_CURRENT_LIST_DIR}/plugins/leaving.c)
find_package(Threads REQUIRED)
target_link_libraries(test_plugin_leaving PRIVATE warpcheck_flags warpcheck-fast Threads::Threads)
add_library(test_plugin_past MODULE ${CMAKE_CURRENT_LIST_DIR}/plugins/past.c)
target_link_libraries(test_plugin_past PRIVATE warpcheck_flags warpcheck-fast)
# The program with a variant of `fast` that crashes.
if(TARGET warpcheck AND NOT WARPCHECK_SANITIZE)
  add_library(crashing-fast OBJECT ${CMAKE_CURRENT_LIST_DIR}/plugins/crashing_fast.c)
  target_link_libraries(crashing-fast PRIVATE warpcheck_flags warpcheck-fast)
  add_executable(warpcheck-crashing $<TARGET_OBJECTS:warpcheck> $<TARGET_OBJECTS:crashing-fast>)
  target_link_libraries(warpcheck-crashing PRIVATE $<TARGET_PROPERTY:warpcheck,LINK_LIBRARIES>)
  target_link_options(warpcheck-crashing PRIVATE -Wl,--wrap=fast_variant_get)
endif()
add_library(test_plugin_batch MODULE ${CMAKE_CURRENT_LIST_DIR}/plugins/batch.c)
target_link_libraries(test_plugin_batch PRIVATE warpcheck_flags warpcheck-fast)
add_executable(test_pipe_peer ${CMAKE_CURRENT_LIST_DIR}/plugins/pipe_peer.c)
target_link_libraries(test_pipe_peer PRIVATE warpcheck_flags warpcheck-spec)

find_package(Threads REQUIRED)
target_link_libraries(test_plugin_hostile PRIVATE Threads::Threads)
add_library(test_plugin_attacker MODULE ${CMAKE_CURRENT_LIST_DIR}/plugins/attacker.c)
target_link_libraries(test_plugin_attacker PRIVATE warpcheck_flags warpcheck-model Threads::Threads ${CMAKE_DL_LIBS})
warpcheck_test(impl_foreign unit warpcheck-check)
target_compile_definitions(test_impl_foreign PRIVATE MUTANTS_PLUGIN="$<TARGET_FILE:warpcheck-mutants>"
  BAD_VERSION_PLUGIN="$<TARGET_FILE:test_plugin_bad_version>" NO_ENTRY_PLUGIN="$<TARGET_FILE:test_plugin_no_entry>"
  BAD_IMPL_PLUGIN="$<TARGET_FILE:test_plugin_bad_impl>" HOSTILE_PLUGIN="$<TARGET_FILE:test_plugin_hostile>"
  SLOW_PLUGIN="$<TARGET_FILE:test_plugin_slow>")
add_dependencies(test_impl_foreign warpcheck-mutants test_plugin_bad_version test_plugin_no_entry test_plugin_bad_impl
  test_plugin_hostile test_plugin_slow)

warpcheck_test(impl_pipe unit warpcheck-check warpcheck-spec)
target_compile_definitions(test_impl_pipe PRIVATE PIPE_PEER="$<TARGET_FILE:test_pipe_peer>")
add_dependencies(test_impl_pipe test_pipe_peer)
warpcheck_test(sequence unit warpcheck-check warpcheck-spec)
warpcheck_test(batch unit warpcheck-check warpcheck-spec warpcheck-fast)
