warpcheck_test(fast unit warpcheck-fast warpcheck-spec)
warpcheck_test(fast_batch unit warpcheck-fast)
warpcheck_test(fast_far unit warpcheck-fast warpcheck-check)
set_tests_properties(fast_far PROPERTIES SKIP_REGULAR_EXPRESSION UNAVAILABLE)
warpcheck_test(fast_select unit warpcheck-fast)
warpcheck_test(fast_tables unit warpcheck-fast)

# The environment variable, once for each kind of value.
foreach(value IN ITEMS portable fast-portable nonsense)
  add_test(NAME fast_environment_${value} COMMAND test_fast_select --environment)
  set_tests_properties(fast_environment_${value} PROPERTIES LABELS unit ENVIRONMENT "WARPCHECK_FAST=${value}")
endforeach()
set_tests_properties(fast_environment_portable fast_environment_fast-portable PROPERTIES PASS_REGULAR_EXPRESSION "portable C")
set_tests_properties(fast_environment_nonsense PROPERTIES PASS_REGULAR_EXPRESSION "fast has no variant 'nonsense'")

add_test(NAME fast_independence COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/model -DNM=${CMAKE_NM}
  -DFAST=$<TARGET_FILE:warpcheck-fast> -DSPEC=$<TARGET_FILE:warpcheck-spec>
  -P ${CMAKE_CURRENT_LIST_DIR}/fast_independence.cmake)
set_tests_properties(fast_independence PROPERTIES LABELS unit)

# The variants without a test library: here, and for 64-bit Arm with a cross compiler under an emulator, where both are
# installed.
set(variants_sources ${CMAKE_CURRENT_LIST_DIR}/fast_variants.c ${PROJECT_SOURCE_DIR}/check/batch/memory.c)
add_executable(fast_variants ${variants_sources})
target_include_directories(fast_variants PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(fast_variants PRIVATE warpcheck_flags warpcheck-fast)
add_test(NAME fast_variants COMMAND fast_variants 10)
set_tests_properties(fast_variants PROPERTIES LABELS unit)

find_program(WARPCHECK_CC_AARCH64 NAMES aarch64-linux-gnu-gcc)
find_program(WARPCHECK_QEMU_AARCH64 NAMES qemu-aarch64-static qemu-aarch64)
mark_as_advanced(WARPCHECK_CC_AARCH64 WARPCHECK_QEMU_AARCH64)
if(WARPCHECK_CC_AARCH64 AND WARPCHECK_QEMU_AARCH64)
  set(model ${PROJECT_SOURCE_DIR}/model)
  file(GLOB neon_sources CONFIGURE_DEPENDS ${model}/fast/*.c ${model}/fast/neon/*.c)
  list(APPEND neon_sources ${model}/form.c ${model}/target.c ${model}/case.c ${variants_sources})
  file(GLOB neon_headers CONFIGURE_DEPENDS ${model}/fast/*.h ${model}/fast/neon/*.h)
  set(neon_program ${CMAKE_CURRENT_BINARY_DIR}/fast_variants_aarch64)
  set(neon_compile ${WARPCHECK_CC_AARCH64} -std=c17 -O2 -Wall -Wextra -Wconversion -Wshadow -static -DWARPCHECK_FAST_NEON
    -I${model}/include -I${model}/fast -I${PROJECT_SOURCE_DIR})
  add_custom_command(OUTPUT ${neon_program} DEPENDS ${neon_sources} ${neon_headers} ${CMAKE_CURRENT_LIST_DIR}/fast_cases.h
    COMMAND ${neon_compile} ${neon_sources} -o ${neon_program}
    COMMENT "Building the NEON variant with ${WARPCHECK_CC_AARCH64}")
  add_custom_target(fast_neon_program ALL DEPENDS ${neon_program})
  add_test(NAME fast_neon COMMAND ${WARPCHECK_QEMU_AARCH64} ${neon_program} 4)
  set_tests_properties(fast_neon PROPERTIES LABELS unit PASS_REGULAR_EXPRESSION "fast-neon: [0-9]+ cases and batches of [0-9]+ warps agree")
  # A sample of the mechanical mutants of the NEON sources, each asked in the same way.
  string(JOIN " " neon_compile_words ${neon_compile})
  add_test(NAME fast_neon_mutants COMMAND ${CMAKE_CURRENT_LIST_DIR}/mutants/mechanical/neon.sh ${WARPCHECK_QEMU_AARCH64}
    ${CMAKE_CURRENT_BINARY_DIR}/neon_mutants 15 "${neon_compile_words}" ${neon_sources})
  set_tests_properties(fast_neon_mutants PROPERTIES LABELS slow PROCESSORS 2 TIMEOUT 14400)
  # A campaign there: batches, enumerations, the corpus, random cases.
  add_test(NAME fast_neon_run COMMAND ${CMAKE_CURRENT_LIST_DIR}/build/fast_neon_run.sh ${WARPCHECK_CC_AARCH64} ${WARPCHECK_QEMU_AARCH64}
    ${PROJECT_BINARY_DIR}/configurations/aarch64)
  set_tests_properties(fast_neon_run PROPERTIES LABELS slow TIMEOUT 14400 PASS_REGULAR_EXPRESSION "the program for 64-bit Arm agrees")
else()
  message(STATUS "  NEON under an emulator: OFF (install gcc-aarch64-linux-gnu and qemu-user-static)")
endif()

# The AVX-512 variant with its instructions emulated in C, so that it is tested on machines that lack them.
file(GLOB emulated_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/model/fast/*.c ${PROJECT_SOURCE_DIR}/model/fast/avx512/*.c)
list(REMOVE_ITEM emulated_sources ${PROJECT_SOURCE_DIR}/model/fast/variant.c)
add_executable(fast_variants_emulated ${emulated_sources} ${CMAKE_CURRENT_LIST_DIR}/emulate/variant.c
  ${variants_sources})
target_include_directories(fast_variants_emulated BEFORE PRIVATE ${CMAKE_CURRENT_LIST_DIR}/emulate)
target_include_directories(fast_variants_emulated PRIVATE ${PROJECT_SOURCE_DIR}/model/fast ${PROJECT_SOURCE_DIR})
target_compile_options(fast_variants_emulated PRIVATE -Og) # at -O1 a file takes ten seconds and more
target_link_libraries(fast_variants_emulated PRIVATE warpcheck_flags warpcheck-model)
add_test(NAME fast_avx512_emulated COMMAND fast_variants_emulated 4)
set_tests_properties(fast_avx512_emulated PROPERTIES LABELS unit PASS_REGULAR_EXPRESSION "fast-avx512: [0-9]+ cases and batches of [0-9]+ warps agree")
