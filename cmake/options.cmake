# Every option of the build, and the properties that all targets share.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()

option(WARPCHECK_SMT "Proofs with Z3" ON)
option(WARPCHECK_GPU "The GPU as an implementation (CUDA driver, loaded at run time)" ON)
option(WARPCHECK_FUZZ "Fuzz targets (Clang's libFuzzer; AFL++ where installed)" ON)
option(WARPCHECK_BENCH "The benchmark program" ON)
option(WARPCHECK_WERROR "Treat warnings as errors" OFF)
set(WARPCHECK_SANITIZE "" CACHE STRING "Sanitizers: address,undefined or memory or empty")

# Warnings and sanitizers as interface targets: link them, never set global flags.
add_library(warpcheck_flags INTERFACE)
target_compile_options(warpcheck_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
  # A switch over an enum names every member, also beside a `default:`, so that a new member cannot go wrong silently.
  -Werror=switch -Werror=switch-enum
  $<$<BOOL:${WARPCHECK_WERROR}>:-Werror>)
# gcc clears and copies what has some hundred bytes, a case or a result, by an instruction that takes tens of
# nanoseconds to begin with.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(strategy vector_loop:1024:noalign,libcall:-1:noalign)
  target_compile_options(warpcheck_flags INTERFACE -mmemset-strategy=${strategy} -mmemcpy-strategy=${strategy})
endif()
# For what is no hot loop of a check: its compilation is the longer part.
set(WARPCHECK_COLD $<$<CONFIG:Release>:-O2>)
# For the files that switch over the hundreds of members of Z3's and LLVM's enums.
set(WARPCHECK_FOREIGN_ENUMS -Wno-switch-enum)
if(WARPCHECK_SANITIZE)
  target_compile_options(warpcheck_flags INTERFACE
    -fsanitize=${WARPCHECK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  target_link_options(warpcheck_flags INTERFACE -fsanitize=${WARPCHECK_SANITIZE})
endif()
