# The proofs: encoding against the transcription, the prover, the proof checker, the catalogue.
if(TARGET warpcheck-smt)
  warpcheck_test(smt_eval smt warpcheck-smt warpcheck-spec warpcheck-check warpcheck-recording)
  warpcheck_test(smt_rup unit warpcheck-smt)
  warpcheck_test(smt_prove smt warpcheck-smt warpcheck-spec warpcheck-fast)
  warpcheck_test(smt_programs smt warpcheck-smt warpcheck-kernel warpcheck-spec warpcheck-fast)
  target_compile_definitions(test_smt_programs PRIVATE _XOPEN_SOURCE=700)
  warpcheck_test(smt_lemma smt warpcheck-smt)
  warpcheck_test(kernel_section smt warpcheck-smt warpcheck-kernel warpcheck-spec)

  # Whole kernels by two lanes: on the museum, on a table of small ones, and against executions of random kernels.
  foreach(name IN ITEMS pair pair_random pair_table)
    add_executable(test_${name} test_${name}.c)
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(test_${name} PRIVATE warpcheck_flags warpcheck-smt warpcheck-kernel warpcheck-spec)
  endforeach()
  file(GLOB kernels ${PROJECT_SOURCE_DIR}/corpus/kernels/*.ptx)
  add_test(NAME smt_pair COMMAND test_pair quick ${kernels})
  add_test(NAME smt_pair_all COMMAND test_pair all ${kernels})
  add_test(NAME smt_pair_table COMMAND test_pair_table WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  add_test(NAME smt_pair_random COMMAND test_pair_random 10)
  add_test(NAME smt_pair_random_many COMMAND sh -c "if [ \"$WARPCHECK_SLOW\" = all ]; then n=500; else n=120; fi; exec $<TARGET_FILE:test_pair_random> $n 77")
  add_test(NAME smt_pair_planted COMMAND ${CMAKE_CURRENT_LIST_DIR}/planted.sh ${PROJECT_SOURCE_DIR}
    ${PROJECT_BINARY_DIR} pair)
  set_tests_properties(smt_pair_planted PROPERTIES LABELS slow PROCESSORS ${WARPCHECK_HALF} TIMEOUT 14400)
  set_tests_properties(smt_pair smt_pair_table smt_pair_random PROPERTIES LABELS smt TIMEOUT 3600)
  warpcheck_sampled(smt_pair_table test_pair_table)
  set_tests_properties(smt_pair PROPERTIES ENVIRONMENT "WARPCHECK_TEST_SAMPLE=1") # smt_pair_all has more than its rest
  set_tests_properties(smt_pair_all smt_pair_random_many PROPERTIES LABELS slow TIMEOUT 14400)

  # The encoding broken by patches (test/smt/must_break.patches): what must_break.sh compiles and links with. A few at
  # once, all with the slow tests; so for the proofs that the compiled transcription and the encoding say the same.
  add_executable(smt_verdicts smt/verdicts.c)
  target_link_libraries(smt_verdicts PRIVATE warpcheck_flags warpcheck-smt warpcheck-spec warpcheck-fast)
  set(smt_compile "${CMAKE_C_COMPILER} -std=c17 -O1 -w -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/model/include")
  if(WARPCHECK_SANITIZE)
    string(APPEND smt_compile " -fsanitize=${WARPCHECK_SANITIZE}")
  endif()
  set(smt_libraries "-Wl,--start-group $<TARGET_FILE:warpcheck-smt> $<TARGET_FILE:warpcheck-kernel> $<TARGET_FILE:warpcheck-ptx>")
  string(APPEND smt_libraries " $<TARGET_FILE:warpcheck-spec> $<TARGET_FILE:warpcheck-fast> $<TARGET_FILE:warpcheck-check>")
  string(APPEND smt_libraries " $<TARGET_FILE:warpcheck-model> $<TARGET_FILE:warpcheck-base> -Wl,--end-group")
  string(APPEND smt_libraries " $<JOIN:$<TARGET_PROPERTY:PkgConfig::Z3,INTERFACE_LINK_LIBRARIES>, > -ldl -lm -lpthread")
  set(z3_include $<TARGET_PROPERTY:PkgConfig::Z3,INTERFACE_INCLUDE_DIRECTORIES>)
  string(APPEND smt_compile " $<$<BOOL:${z3_include}>:-I$<JOIN:${z3_include}, -I>>")
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/smt_must_break.settings CONTENT
    "compile='${smt_compile}'\nlibraries='${smt_libraries}'\nverdicts='$<TARGET_OBJECTS:smt_verdicts>'\n")
  set(smt_must_break ${CMAKE_CURRENT_LIST_DIR}/smt/must_break.sh ${PROJECT_SOURCE_DIR}
    ${CMAKE_CURRENT_BINARY_DIR}/smt_must_break.settings properties)
  # The whole program with one of these mistakes.
  set(broken ${CMAKE_CURRENT_BINARY_DIR}/broken/smt/encode/vote.c)
  set(patches ${CMAKE_CURRENT_LIST_DIR}/smt/must_break.patches)
  add_custom_command(OUTPUT ${broken} DEPENDS ${PROJECT_SOURCE_DIR}/smt/encode/vote.c ${patches} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/smt/encode/vote.c ${broken}
    COMMAND sh -c "awk '/^## / { wanted = $2 == \"vote-uni-is-all:\" } wanted' ${patches} | patch -s -p1 -d ${CMAKE_CURRENT_BINARY_DIR}/broken")
  add_executable(warpcheck_broken ${broken} $<TARGET_OBJECTS:warpcheck>)
  target_include_directories(warpcheck_broken PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(warpcheck_broken PRIVATE $<TARGET_PROPERTY:warpcheck,LINK_LIBRARIES>)

  add_test(NAME smt_must_break COMMAND ${smt_must_break} group-with-exited shfl-up-min-lane vote-uni-is-all match-any-outside
    redux-f32-zeros-equal activemask-own elect-everybody bar-warp-exited program-source-defined table-destination fact-stronger)
  set_tests_properties(smt_must_break PROPERTIES LABELS smt TIMEOUT 3600)
  add_test(NAME smt_must_break_all COMMAND ${smt_must_break})
  set_tests_properties(smt_must_break_all PROPERTIES LABELS "smt;slow" TIMEOUT 14400)

  if(TARGET must_break_prove)
    file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/compiled_encoding_broken.settings CONTENT
      "compile='${smt_compile}'\nlibraries='$<TARGET_FILE:warpcheck-compiled> ${smt_libraries} ${WARPCHECK_LLVM_19}'\nprove='$<TARGET_OBJECTS:must_break_prove>'\nreplay='$<TARGET_FILE:must_break_replay>'\nbitcode='${PROJECT_BINARY_DIR}/proofs/bitcode'\n")
    set(encoding_broken ${CMAKE_CURRENT_LIST_DIR}/smt/must_break.sh ${PROJECT_SOURCE_DIR}
      ${CMAKE_CURRENT_BINARY_DIR}/compiled_encoding_broken.settings compiled)
    add_test(NAME compiled_encoding_broken COMMAND ${encoding_broken} group-with-exited match-any-outside elect-own-lane)
    add_test(NAME compiled_encoding_broken_more COMMAND ${encoding_broken} outside-waits shfl-up-min-lane vote-uni-is-all
      redux-unsigned redux-f32-zeros-equal activemask-own bar-warp-exited)
    set_tests_properties(compiled_encoding_broken PROPERTIES LABELS smt TIMEOUT 3600)
    add_test(NAME compiled_encoding_broken_all COMMAND ${encoding_broken})
    set_tests_properties(compiled_encoding_broken_more compiled_encoding_broken_all PROPERTIES LABELS slow TIMEOUT 14400)
  endif()

  add_test(NAME cli_second_opinion COMMAND ${PROJECT_SOURCE_DIR}/test/cli/second_opinion.sh $<TARGET_FILE:warpcheck>)
  set_tests_properties(cli_second_opinion PROPERTIES LABELS "cli;smt" TIMEOUT 3600 ENVIRONMENT "NO_COLOR=1")

  # Expected verdicts of the catalogue: a fifth, without those that take the longest; all, the second solver and the
  # clausal proofs of shfl with the slow tests.
  add_test(NAME smt_catalogue COMMAND ${CMAKE_CURRENT_LIST_DIR}/smt/catalogue.sh $<TARGET_FILE:warpcheck> WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  add_test(NAME smt_catalogue_all COMMAND warpcheck prove --quiet --timeout 120 --jobs 2 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(smt_catalogue smt_catalogue_all PROPERTIES LABELS smt PROCESSORS 2 TIMEOUT 3600)
  set_tests_properties(smt_catalogue_all PROPERTIES LABELS slow)
  find_program(WARPCHECK_CVC5 cvc5)
  find_program(WARPCHECK_CADICAL cadical)
  if(WARPCHECK_CVC5)
    add_test(NAME smt_both COMMAND ${CMAKE_CURRENT_LIST_DIR}/smt/both.sh $<TARGET_FILE:warpcheck> WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(smt_both PROPERTIES LABELS "smt;slow" PROCESSORS 2 COST 400 TIMEOUT 14400)
  endif()
  if(WARPCHECK_CADICAL)
    add_test(NAME smt_drat COMMAND warpcheck prove --quiet --drat --family shfl --timeout 120 --jobs 2
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(smt_drat PROPERTIES LABELS "smt;slow" PROCESSORS 2 TIMEOUT 14400)
  endif()
endif()
