# What was found and what is off, at the end of the configuration.
function(warpcheck_summary_line part condition otherwise)
  if(${condition})
    message(STATUS "  ${part}: on")
  else()
    message(STATUS "  ${part}: OFF (${otherwise})")
  endif()
endfunction()

message(STATUS "warpcheck ${PROJECT_VERSION}, ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE}")
warpcheck_summary_line("proofs" WARPCHECK_HAVE_Z3 "install libz3-dev")
warpcheck_summary_line("proofs about compiled code" WARPCHECK_HAVE_LLVM "install llvm-19-dev and clang-14")
warpcheck_summary_line("fuzz targets, libFuzzer" WARPCHECK_CLANG "install clang")
warpcheck_summary_line("fuzz targets, AFL++" WARPCHECK_AFL_CC "install afl++")
