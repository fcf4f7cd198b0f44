# The proofs: encoding against the transcription, the prover, the catalogue.
if(TARGET warpcheck-smt)
  warpcheck_test(smt_eval smt warpcheck-smt warpcheck-spec warpcheck-check)
endif()
