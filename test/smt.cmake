# The proofs: encoding against the transcription, the prover, the proof checker, the catalogue.
if(TARGET warpcheck-smt)
  warpcheck_test(smt_eval smt warpcheck-smt warpcheck-spec warpcheck-check)
  warpcheck_test(smt_rup unit warpcheck-smt)
  warpcheck_test(smt_prove smt warpcheck-smt warpcheck-spec warpcheck-fast)
endif()
