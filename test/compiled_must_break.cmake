# Proofs about compiled code must fail when the code is broken: patches to the optimized sources and to the
# transcription's (smt.cmake has those to the encoding).
if(NOT TARGET warpcheck-compiled)
  return()
endif()
add_executable(must_break_prove compiled/must_break_prove.c)
target_include_directories(must_break_prove PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(must_break_prove PRIVATE warpcheck_flags warpcheck-compiled warpcheck-spec)
add_executable(must_break_replay compiled/must_break_replay.c)
target_link_libraries(must_break_replay PRIVATE warpcheck_flags warpcheck-spec warpcheck-fast)
foreach(variant IN ITEMS avx2 avx512)
  get_source_file_property(flags ${PROJECT_SOURCE_DIR}/model/fast/${variant}/shfl.c TARGET_DIRECTORY warpcheck-fast COMPILE_OPTIONS)
  string(REPLACE ";" " " ${variant}_flags "${flags}")
endforeach()
set(must_break ${CMAKE_CURRENT_SOURCE_DIR}/compiled/must_break.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/proofs/bitcode
  $<TARGET_FILE:must_break_prove> ${WARPCHECK_BITCODE_CLANG} ${avx2_flags} ${avx512_flags})
add_test(NAME compiled_must_break COMMAND ${must_break} vote_uni groups_convergence shfl_up_bound mixed_rows
  encoding_redux_first_membermask)
set_tests_properties(compiled_must_break PROPERTIES LABELS smt)
add_test(NAME compiled_must_break_all COMMAND ${must_break})
set_tests_properties(compiled_must_break_all PROPERTIES LABELS slow TIMEOUT 14400)

# The encoding, proved for one form of each family (the rest with the slow tests), and broken.
function(warpcheck_encoding_test name label jobs)
  add_test(NAME ${name} COMMAND warpcheck prove --compiled --impl smt --jobs ${jobs} --quiet ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS ${label} PROCESSORS ${jobs} TIMEOUT 14400)
endfunction()
if(TARGET warpcheck)
  warpcheck_encoding_test(compiled_encoding smt 1 --only shfl.sync.up.b32 --only vote.uni.pred --only redux.sync.max.NaN.f32)
  warpcheck_encoding_test(compiled_encoding_all slow 2)
endif()
# The variants as they are built: some rows of each variant, and (slow) the whole table of docs/compiled.md.
if(TARGET warpcheck)
  set(compiled_fast ${CMAKE_CURRENT_SOURCE_DIR}/compiled/fast.sh $<TARGET_FILE:warpcheck>)
  add_test(NAME compiled_fast COMMAND ${compiled_fast} fast-portable:vote.any.pred fast-avx2:redux.sync.min.f32
    fast-avx512:shfl.idx.b32)
  set_tests_properties(compiled_fast PROPERTIES LABELS smt TIMEOUT 600)
  add_test(NAME compiled_fast_all COMMAND ${compiled_fast})
  set_tests_properties(compiled_fast_all PROPERTIES LABELS slow PROCESSORS 2 TIMEOUT 7200 COST 500)
endif()
