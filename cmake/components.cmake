# Finds what is installed. A missing component turns its part off, visibly. A few are necessary for every build.
find_package(PkgConfig QUIET)
find_package(Threads REQUIRED)

# One component: WARPCHECK_HAVE_<NAME> and, where found, the imported target PkgConfig::<NAME>.
function(warpcheck_component name module)
  set(found OFF)
  if(PkgConfig_FOUND)
    pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${module})
    if(${name}_FOUND)
      set(found ON)
    endif()
  endif()
  set(WARPCHECK_HAVE_${name} ${found} PARENT_SCOPE)
endfunction()

# What every build needs.
foreach(pair IN ITEMS "JANSSON;jansson;libjansson-dev" "ZLIB;zlib;zlib1g-dev" "CMOCKA;cmocka;libcmocka-dev")
  list(GET pair 0 name)
  list(GET pair 1 module)
  list(GET pair 2 package)
  if(name STREQUAL "CMOCKA" AND NOT BUILD_TESTING)
    continue()
  endif()
  warpcheck_component(${name} ${module})
  if(NOT WARPCHECK_HAVE_${name})
    message(FATAL_ERROR "${module} (with pkg-config) is missing; install Debian's ${package} or its like, then configure again")
  endif()
endforeach()
warpcheck_component(Z3 z3)

# The CUDA driver's declarations: an installed toolkit's cuda.h, or the loader headers (ffnvcodec).
find_path(WARPCHECK_CUDA_INCLUDE cuda.h PATHS /usr/local/cuda/include ENV CUDA_HOME PATH_SUFFIXES include)
warpcheck_component(FFNVCODEC ffnvcodec)

find_program(WARPCHECK_CLANG NAMES clang clang-14)
find_program(WARPCHECK_AFL_CC NAMES afl-clang-fast)
mark_as_advanced(WARPCHECK_CUDA_INCLUDE WARPCHECK_CLANG WARPCHECK_AFL_CC)

# Proofs about compiled code: LLVM 19 reads bitcode, and clang 14 makes that of the own sources.
find_program(WARPCHECK_LLVM_CONFIG_19 NAMES llvm-config-19)
find_program(WARPCHECK_BITCODE_CLANG NAMES clang-14)
set(WARPCHECK_HAVE_LLVM OFF)
if(WARPCHECK_LLVM_CONFIG_19 AND WARPCHECK_BITCODE_CLANG)
  execute_process(COMMAND ${WARPCHECK_LLVM_CONFIG_19} --includedir OUTPUT_VARIABLE WARPCHECK_LLVM_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${WARPCHECK_LLVM_CONFIG_19} --libdir OUTPUT_VARIABLE llvm_libdir OUTPUT_STRIP_TRAILING_WHITESPACE)
  find_library(WARPCHECK_LLVM_19 NAMES LLVM-19 HINTS ${llvm_libdir})
  if(WARPCHECK_LLVM_19 AND EXISTS "${WARPCHECK_LLVM_INCLUDE}/llvm-c/Core.h")
    set(WARPCHECK_HAVE_LLVM ON)
  endif()
endif()
mark_as_advanced(WARPCHECK_LLVM_CONFIG_19 WARPCHECK_BITCODE_CLANG WARPCHECK_LLVM_19)
