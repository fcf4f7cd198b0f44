# Proofs about compiled code must fail when the code is broken: patches to the optimized sources.
if(NOT TARGET warpcheck-compiled)
  return()
endif()
add_executable(must_break_prove compiled/must_break_prove.c)
target_include_directories(must_break_prove PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(must_break_prove PRIVATE warpcheck_flags warpcheck-compiled warpcheck-spec)
foreach(variant IN ITEMS avx2 avx512)
  get_source_file_property(flags ${PROJECT_SOURCE_DIR}/model/fast/${variant}/shfl.c TARGET_DIRECTORY warpcheck-fast COMPILE_OPTIONS)
  string(REPLACE ";" " " ${variant}_flags "${flags}")
endforeach()
set(must_break ${CMAKE_CURRENT_SOURCE_DIR}/compiled/must_break.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/smt/compiled/bitcode
  $<TARGET_FILE:must_break_prove> ${WARPCHECK_CLANG_14} ${avx2_flags} ${avx512_flags})
add_test(NAME compiled_must_break COMMAND ${must_break} vote_uni outcome_outside shfl_up_bound redux_neutral match_all_high
  redux_float_infinity mixed_rows)
set_tests_properties(compiled_must_break PROPERTIES LABELS smt)
add_test(NAME compiled_must_break_all COMMAND ${must_break})
set_tests_properties(compiled_must_break_all PROPERTIES LABELS slow TIMEOUT 1500)
