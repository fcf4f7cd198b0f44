# The proofs: encoding against the transcription, the prover, the proof checker, the catalogue.
if(TARGET warpcheck-smt)
  warpcheck_test(smt_eval smt warpcheck-smt warpcheck-spec warpcheck-check warpcheck-recording)
  warpcheck_test(smt_rup unit warpcheck-smt)
  warpcheck_test(smt_prove smt warpcheck-smt warpcheck-spec warpcheck-fast)
  warpcheck_test(smt_programs smt warpcheck-smt warpcheck-kernel warpcheck-spec warpcheck-fast)
  target_compile_definitions(test_smt_programs PRIVATE _XOPEN_SOURCE=700)
  warpcheck_test(smt_lemma smt warpcheck-smt)

  add_test(NAME cli_second_opinion COMMAND ${PROJECT_SOURCE_DIR}/test/cli/second_opinion.sh $<TARGET_FILE:warpcheck>)
  set_tests_properties(cli_second_opinion PROPERTIES LABELS "cli;smt" TIMEOUT 300 ENVIRONMENT "NO_COLOR=1")

  # Every expected verdict of the catalogue; the second solver and the clausal proofs of shfl on request.
  add_test(NAME smt_catalogue COMMAND warpcheck prove --quiet --timeout 120 --jobs 2 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(smt_catalogue PROPERTIES LABELS smt PROCESSORS 2 TIMEOUT 900)
  find_program(WARPCHECK_CVC5 cvc5)
  find_program(WARPCHECK_CADICAL cadical)
  if(WARPCHECK_CVC5)
    add_test(NAME smt_both COMMAND warpcheck prove --quiet --solver both --timeout 120 --jobs 2
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(smt_both PROPERTIES LABELS "smt;slow" PROCESSORS 2 TIMEOUT 3000)
  endif()
  if(WARPCHECK_CADICAL)
    add_test(NAME smt_drat COMMAND warpcheck prove --quiet --drat --family shfl --timeout 120 --jobs 2
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(smt_drat PROPERTIES LABELS "smt;slow" PROCESSORS 2 TIMEOUT 1800)
  endif()
endif()
