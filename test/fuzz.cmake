# Fuzzing: the parts, then targets, campaigns and the farm's contract as scripts.
if(NOT WARPCHECK_FUZZ)
  return()
endif()
warpcheck_test(coverage unit warpcheck-coverage warpcheck-mutator warpcheck-check warpcheck-spec)
warpcheck_test(pairs unit warpcheck-coverage warpcheck-check warpcheck-spec)
warpcheck_test(buckets unit warpcheck-coverage warpcheck-check warpcheck-spec)
if(NOT WARPCHECK_SANITIZE) # whose runtimes have their own idea of traced code
  foreach(families IN ITEMS all match)
    add_library(signal-of-${families} OBJECT ${PROJECT_SOURCE_DIR}/fuzz/coverage/signal.c)
    target_include_directories(signal-of-${families} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/model/include)
    target_compile_definitions(signal-of-${families} PRIVATE coverage_signal=signal_of_${families})
    target_compile_options(signal-of-${families} PRIVATE -O2 -fsanitize-coverage=trace-pc)
    target_link_libraries(signal-of-${families} PRIVATE warpcheck_flags)
  endforeach()
  target_compile_definitions(signal-of-match PRIVATE "SIGNAL_FAMILIES=WARP_FAMILY_BIT(WARP_MATCH_SYNC)")
  warpcheck_test(signal unit warpcheck-coverage signal-of-all signal-of-match)
endif()
warpcheck_test(mutator unit warpcheck-mutator warpcheck-harness warpcheck-check)
warpcheck_test(seek unit warpcheck-mutator warpcheck-harness warpcheck-check)
warpcheck_test(derive unit warpcheck-harness)
warpcheck_test(harness unit warpcheck-harness)
warpcheck_test(watch unit warpcheck-harness)
warpcheck_test(rerun unit warpcheck-fuzz warpcheck-check warpcheck-spec warpcheck-fast)
target_compile_definitions(test_rerun PRIVATE HOSTILE_PLUGIN="$<TARGET_FILE:test_plugin_hostile>")
add_dependencies(test_rerun test_plugin_hostile)
target_link_options(test_rerun PRIVATE -Wl,--wrap=fast_variant_get -Wl,--wrap=law_get)
warpcheck_test(laws unit warpcheck-harness)
warpcheck_test(families unit warpcheck-harness)
warpcheck_test(impl_fast_batch unit warpcheck-harness)
warpcheck_test(score unit warpcheck-fuzz)
warpcheck_test(target unit warpcheck-fuzz)
set_tests_properties(laws PROPERTIES ENVIRONMENT "WARPCHECK_MUTANTS=$<TARGET_FILE:warpcheck-mutants>")

# The text of the seeds gives byte strings, and these give the same text.
add_test(NAME seeds COMMAND sh -c "rm -rf again && $<TARGET_FILE:warpcheck-seeds> merge again ${PROJECT_BINARY_DIR}/fuzz/seeds/bytes && diff -r again ${PROJECT_SOURCE_DIR}/corpus/seeds && rm -rf again"
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz/seeds)
set_tests_properties(seeds PROPERTIES LABELS "unit;replay")

find_program(WARPCHECK_TEST_CLANG clang)
if(WARPCHECK_TEST_CLANG)
  add_test(NAME fuzz_untraced COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/untraced.sh ${PROJECT_SOURCE_DIR} ${WARPCHECK_TEST_CLANG})
  set_tests_properties(fuzz_untraced PROPERTIES LABELS unit)
  find_program(WARPCHECK_TEST_GCC gcc)
  if(TARGET warpcheck AND NOT WARPCHECK_SANITIZE)
    add_test(NAME fuzz_traced COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/traced.sh ${PROJECT_SOURCE_DIR} $<TARGET_FILE:warpcheck>
      $<TARGET_FILE:fuzz_all> ${WARPCHECK_TEST_CLANG} $<IF:$<BOOL:${WARPCHECK_TEST_GCC}>,${WARPCHECK_TEST_GCC},none>)
    set_tests_properties(fuzz_traced PROPERTIES LABELS unit)
  endif()
endif()

# The seed corpus and known reproducers, replayed without an engine.
add_test(NAME fuzz_replay COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/replay.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/fuzz
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
set_tests_properties(fuzz_replay PROPERTIES LABELS replay)
if(TARGET warpcheck AND TARGET fuzz_program AND NOT WARPCHECK_SANITIZE)
  add_test(NAME fuzz_findings COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/findings.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/fuzz
    $<TARGET_FILE:warpcheck> $<TARGET_FILE:warpcheck-mutants> $<TARGET_FILE:test_plugin_past> ${PROJECT_BINARY_DIR}/test/findings)
  # Targets with two variants of `fast`, of which the second is wrong.
  add_library(wrong-fast OBJECT plugins/wrong_fast.c)
  target_link_libraries(wrong-fast PRIVATE warpcheck_flags warpcheck-fast)
  foreach(name IN ITEMS laws program)
    add_executable(fuzz_${name}_wrong $<TARGET_OBJECTS:fuzz_${name}> $<TARGET_OBJECTS:wrong-fast>)
    target_link_libraries(fuzz_${name}_wrong PRIVATE $<TARGET_PROPERTY:fuzz_${name},LINK_LIBRARIES>)
    target_link_options(fuzz_${name}_wrong PRIVATE -Wl,--wrap=fast_variant_get)
  endforeach()
  add_executable(fuzz_laws_crashing $<TARGET_OBJECTS:fuzz_laws> $<TARGET_OBJECTS:crashing-fast>)
  target_link_libraries(fuzz_laws_crashing PRIVATE $<TARGET_PROPERTY:fuzz_laws,LINK_LIBRARIES>)
  target_link_options(fuzz_laws_crashing PRIVATE -Wl,--wrap=fast_variant_get)
  add_test(NAME fuzz_unanswered COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/unanswered.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/fuzz
    $<TARGET_FILE:warpcheck> $<TARGET_FILE:test_plugin_ending> $<TARGET_FILE_DIR:fuzz_laws_wrong> ${PROJECT_BINARY_DIR}/test/unanswered
    $<TARGET_FILE:warpcheck-crashing>)
  set_tests_properties(fuzz_findings fuzz_unanswered PROPERTIES LABELS replay)
endif()
if(TARGET warpcheck)
  add_test(NAME fuzz_refused COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/refused.sh $<TARGET_FILE:warpcheck> $<TARGET_FILE:test_plugin_state>
    $<TARGET_FILE:test_plugin_bad_version> ${PROJECT_BINARY_DIR}/test/refused)
  set_tests_properties(fuzz_refused PROPERTIES LABELS replay)
  add_test(NAME fuzz_known COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/known.sh ${PROJECT_SOURCE_DIR}/crashes $<TARGET_FILE:warpcheck>
    $<TARGET_FILE:warpcheck-mutants>)
  set_tests_properties(fuzz_known PROPERTIES LABELS replay)
endif()

# Campaigns with each engine that is installed. They measure nothing, but each wants processors.
if(TARGET warpcheck AND NOT WARPCHECK_SANITIZE AND WARPCHECK_CLANG)
  set(engines libfuzzer)
  if(WARPCHECK_AFL_CC)
    list(APPEND engines afl)
  endif()
  foreach(engine IN LISTS engines)
    add_test(NAME fuzz_campaign_${engine} COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/campaign.sh $<TARGET_FILE:warpcheck>
      $<TARGET_FILE:warpcheck-mutants> ${engine} ${PROJECT_BINARY_DIR}/test/campaign-${engine} $<TARGET_FILE:test_plugin_state>)
    add_test(NAME fuzz_kill_${engine} COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/kill.sh $<TARGET_FILE:warpcheck>
      $<TARGET_FILE:warpcheck-mutants> ${engine} ${PROJECT_BINARY_DIR}/test/kill-${engine})
    add_test(NAME fuzz_slow_${engine} COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/slow.sh $<TARGET_FILE:warpcheck> $<TARGET_FILE:test_plugin_slow>
      ${engine} ${PROJECT_BINARY_DIR}/test/slow-${engine})
    add_test(NAME fuzz_leaving_${engine} COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/leaving.sh $<TARGET_FILE:warpcheck>
      $<TARGET_FILE:test_plugin_leaving> ${engine} ${PROJECT_BINARY_DIR}/test/leaving-${engine})
    add_test(NAME fuzz_rare_${engine} COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/rare.sh ${PROJECT_SOURCE_DIR} $<TARGET_FILE:warpcheck>
      ${WARPCHECK_TEST_CLANG} ${engine} ${PROJECT_BINARY_DIR}/test/rare-${engine})
    set_tests_properties(fuzz_rare_${engine} PROPERTIES LABELS "fuzz;slow" PROCESSORS 2 TIMEOUT 14400)
    add_test(NAME fuzz_seeker_${engine} COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/seeker.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
      ${WARPCHECK_TEST_CLANG} ${engine} ${PROJECT_BINARY_DIR}/test/seeker-${engine})
    set_tests_properties(fuzz_seeker_${engine} PROPERTIES LABELS "fuzz;slow" PROCESSORS 2 TIMEOUT 3600)
    set_tests_properties(fuzz_campaign_${engine} fuzz_kill_${engine} PROPERTIES LABELS "fuzz;slow" PROCESSORS 2 TIMEOUT 7200)
    # What these ask sleeps or hangs most of the time.
    set_tests_properties(fuzz_slow_${engine} fuzz_leaving_${engine} PROPERTIES LABELS "fuzz;slow" TIMEOUT 7200)
  endforeach()
  add_test(NAME fuzz_full COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/full.sh $<TARGET_FILE:warpcheck> $<TARGET_FILE:warpcheck-mutants>
    $<TARGET_FILE:test_plugin_hostile> ${PROJECT_BINARY_DIR}/test/full)
  add_test(NAME fuzz_crash COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/crash.sh $<TARGET_FILE:warpcheck-crashing> ${PROJECT_SOURCE_DIR}
    $<TARGET_OBJECTS:crashing-fast> ${PROJECT_BINARY_DIR}/test/crash)
  set_tests_properties(fuzz_full fuzz_crash PROPERTIES LABELS "fuzz;slow" PROCESSORS 2 TIMEOUT 7200)
  set_tests_properties(fuzz_full PROPERTIES SKIP_RETURN_CODE 77)
  if(WARPCHECK_AFL_CC)
    add_test(NAME fuzz_sync COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/sync.sh $<TARGET_FILE:warpcheck> ${PROJECT_BINARY_DIR}/test/sync)
    add_test(NAME fuzz_cmin COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/cmin.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
      ${PROJECT_BINARY_DIR}/test/cmin)
    set_tests_properties(fuzz_sync fuzz_cmin PROPERTIES LABELS "fuzz;slow" PROCESSORS 2 TIMEOUT 7200)
  endif()
  foreach(engine IN ITEMS libfuzzer afl)
    if(engine STREQUAL afl AND NOT WARPCHECK_AFL_CC)
      continue()
    endif()
    set(sanitizers address undefined)
    if(engine STREQUAL libfuzzer)
      list(APPEND sanitizers memory coverage)
    endif()
    foreach(sanitizer IN LISTS sanitizers)
      set(name fuzz_farm_${engine}_${sanitizer})
      add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/farm.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/test/${name} ${engine} ${sanitizer})
      set_tests_properties(${name} PROPERTIES LABELS "fuzz;slow" PROCESSORS 2 TIMEOUT 14400 SKIP_RETURN_CODE 77)
    endforeach()
  endforeach()
  add_test(NAME fuzz_farm_life COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/farm_life.sh ${PROJECT_SOURCE_DIR} $<TARGET_FILE:warpcheck> ${PROJECT_BINARY_DIR}/test/farm-life)
  set_tests_properties(fuzz_farm_life PROPERTIES LABELS "fuzz;slow" PROCESSORS 2 TIMEOUT 14400)
  # Every target under each sanitizer, the report of covered lines, merging corpora.
  add_test(NAME fuzz_sanitize COMMAND ${PROJECT_SOURCE_DIR}/fuzz/sanitize.sh ${PROJECT_BINARY_DIR}/test/sanitize 1000)
  add_test(NAME fuzz_coverage COMMAND ${PROJECT_SOURCE_DIR}/fuzz/coverage.sh ${PROJECT_BINARY_DIR}/test/coverage ${PROJECT_BINARY_DIR}/fuzz/seeds/bytes)
  add_test(NAME fuzz_corpus COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/corpus.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
    ${PROJECT_BINARY_DIR}/test/corpus)
  set_tests_properties(fuzz_sanitize fuzz_coverage fuzz_corpus PROPERTIES LABELS "fuzz;slow" PROCESSORS 2 TIMEOUT 14400)
  # A small part of the score (docs/generated/score.md is the whole): every hand-written mutant, by what `run` does.
  add_test(NAME fuzz_score COMMAND $<TARGET_FILE:warpcheck> score --plugin $<TARGET_FILE:warpcheck-mutants> --checks replay,random
    --cases 100000 --jobs 2 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(fuzz_score PROPERTIES LABELS fuzz TIMEOUT 3600)
  add_test(NAME fuzz_score_mechanical COMMAND ${PROJECT_SOURCE_DIR}/test/fuzz/score.sh $<TARGET_FILE:warpcheck> ${PROJECT_BINARY_DIR}
    ${PROJECT_BINARY_DIR}/test/score)
  set_tests_properties(fuzz_score_mechanical PROPERTIES LABELS "fuzz;slow" PROCESSORS 2 TIMEOUT 7200)
endif()
