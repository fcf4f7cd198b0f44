# Proofs about compiled code: users' functions, the translator against the processor, the command.
if(NOT TARGET warpcheck-compiled)
  message(STATUS "  proofs about compiled code: OFF (install llvm-19-dev and clang-14)")
  return()
endif()

# test/compiled/user/*.c as a user would compile them: at levels of optimization, with -fwrapv (W2), and as clang hands
# them to LLVM's passes at -O2 (P2: the scopes of variables are marked).
set(user_bitcode ${CMAKE_CURRENT_BINARY_DIR}/compiled)
set(user_files)
file(GLOB user_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/compiled/user/*.c)
set(options_O0 -O0)
set(options_O1 -O1)
set(options_O2 -O2)
set(options_W2 -O2 -fwrapv)
set(options_P2 -O2 -fwrapv -Xclang -disable-llvm-passes)
foreach(level IN ITEMS O0 O1 O2 W2 P2)
  file(MAKE_DIRECTORY ${user_bitcode}/${level})
  foreach(source IN LISTS user_sources)
    get_filename_component(name ${source} NAME_WE)
    set(output ${user_bitcode}/${level}/${name}.bc)
    add_custom_command(OUTPUT ${output} DEPENDS ${source} VERBATIM
      COMMAND ${WARPCHECK_BITCODE_CLANG} -std=c17 ${options_${level}} -w -I${PROJECT_SOURCE_DIR}/model/include -emit-llvm -c ${source} -o ${output})
    list(APPEND user_files ${output})
  endforeach()
endforeach()
add_custom_target(compiled_user_bitcode ALL DEPENDS ${user_files})

add_executable(test_compiled_user test_compiled_user.c)
target_include_directories(test_compiled_user PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(test_compiled_user PRIVATE warpcheck_flags warpcheck-compiled warpcheck-spec)
add_dependencies(test_compiled_user compiled_user_bitcode)

# Each known mistake and each right implementation at -O2; the other levels mostly with the slow tests.
function(warpcheck_user_test name label level)
  add_test(NAME compiled_user_${name} COMMAND test_compiled_user ${user_bitcode}/${level} ${ARGN}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(compiled_user_${name} PROPERTIES LABELS ${label} TIMEOUT 7200)
endfunction()
warpcheck_user_test(wrong_O2 smt O2 wrong_shfl wrong_group undefined impl_wrong)
warpcheck_user_test(wrong_O1 slow O1 wrong_shfl wrong_group undefined impl_wrong)
warpcheck_user_test(wrong_W2 slow W2 wrong_shfl wrong_group)
warpcheck_user_test(right_O2 smt O2 right impl_right right_memory)
warpcheck_user_test(right_O1 slow O1 right impl_right right_memory)
warpcheck_user_test(right_O0 smt O0 right_memory)
warpcheck_user_test(right_W2 slow W2 right right_memory)
warpcheck_user_test(right_P2 smt P2 right_memory)
warpcheck_user_test(natural_O2 slow O2 natural_right natural_types_right wrong_natural)
warpcheck_user_test(natural_O0 slow O0 natural_right natural_types_right wrong_natural)
warpcheck_user_test(places smt P2 undefined_places refused_addresses)

# The same functions as each clang that is there makes them.
add_test(NAME compiled_producers COMMAND ${CMAKE_CURRENT_LIST_DIR}/compiled/producers.sh ${PROJECT_SOURCE_DIR} $<TARGET_FILE:test_compiled_user>)
set_tests_properties(compiled_producers PROPERTIES LABELS smt TIMEOUT 900)

add_executable(test_compiled_refused test_compiled_refused.c)
target_include_directories(test_compiled_refused PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(test_compiled_refused PRIVATE warpcheck_flags PkgConfig::CMOCKA warpcheck-compiled warpcheck-spec ${WARPCHECK_LLVM_19})
add_test(NAME compiled_refused COMMAND test_compiled_refused others WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME compiled_kept COMMAND test_compiled_refused kept WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(compiled_refused PROPERTIES LABELS smt)
warpcheck_sampled(compiled_refused test_compiled_refused others)
set_tests_properties(compiled_kept PROPERTIES LABELS slow TIMEOUT 7200)
target_include_directories(test_compiled_refused SYSTEM PRIVATE ${WARPCHECK_LLVM_INCLUDE})
target_compile_definitions(test_compiled_refused PRIVATE _XOPEN_SOURCE=700)

# Functions that are drawn, right ones and wrong ones: a few of all shapes here and 9 of one lane, whose proofs are
# short (a second of a processor each, half of it the compilers'); with the slow tests 60 of one lane and 300 of all
# shapes (`warpcheck score --prover` draws as many as one likes). And mistakes planted in the prover, each of which must
# be noticed.
add_executable(test_compiled_drawn test_compiled_drawn.c)
target_include_directories(test_compiled_drawn PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(test_compiled_drawn PRIVATE warpcheck_flags warpcheck-compiled warpcheck-spec)
add_test(NAME compiled_drawn COMMAND test_compiled_drawn 8 1 any)
add_test(NAME compiled_drawn_lanes COMMAND test_compiled_drawn 9 3 lane)
add_test(NAME compiled_drawn_lanes_all COMMAND test_compiled_drawn 60 3 lane)
set_tests_properties(compiled_drawn_lanes_all PROPERTIES LABELS slow PROCESSORS 2 TIMEOUT 7200)
set_tests_properties(compiled_drawn compiled_drawn_lanes PROPERTIES LABELS smt PROCESSORS 2 TIMEOUT 900)
if(TARGET warpcheck)
  add_test(NAME compiled_drawn_many COMMAND warpcheck score --prover --count 300 --out ${CMAKE_CURRENT_BINARY_DIR}/drawn)
  set_tests_properties(compiled_drawn_many PROPERTIES LABELS slow PROCESSORS 2 TIMEOUT 7200)
endif()
add_test(NAME compiled_planted COMMAND ${CMAKE_CURRENT_LIST_DIR}/planted.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} prover)
set_tests_properties(compiled_planted PROPERTIES LABELS slow PROCESSORS ${WARPCHECK_HALF} TIMEOUT 14400)

# The translator's meaning of each operation and intrinsic against the processor's.
add_executable(test_compiled_operations test_compiled_operations.c)
target_include_directories(test_compiled_operations PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(test_compiled_operations SYSTEM PRIVATE ${WARPCHECK_LLVM_INCLUDE})
target_compile_definitions(test_compiled_operations PRIVATE _XOPEN_SOURCE=700)
target_link_libraries(test_compiled_operations PRIVATE warpcheck_flags warpcheck-compiled ${WARPCHECK_LLVM_19})
add_test(NAME compiled_operations COMMAND test_compiled_operations ${PROJECT_SOURCE_DIR}/proofs/x86.c)
set_tests_properties(compiled_operations PROPERTIES LABELS smt)

# The translated sources, function by function, against their native code.
add_executable(test_compiled_functions test_compiled_functions.c)
target_include_directories(test_compiled_functions PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(test_compiled_functions SYSTEM PRIVATE ${WARPCHECK_LLVM_INCLUDE})
target_link_libraries(test_compiled_functions PRIVATE warpcheck_flags warpcheck-compiled warpcheck-check warpcheck-spec
  warpcheck-fast ${WARPCHECK_LLVM_19})
add_test(NAME compiled_functions COMMAND test_compiled_functions ${PROJECT_BINARY_DIR}/proofs/bitcode
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(compiled_functions PROPERTIES LABELS smt)

# The command.
if(TARGET warpcheck)
  add_test(NAME compiled_commands COMMAND ${CMAKE_CURRENT_LIST_DIR}/compiled/commands.sh $<TARGET_FILE:warpcheck> ${WARPCHECK_BITCODE_CLANG}
    $<TARGET_FILE:warpcheck_broken>)
  set_tests_properties(compiled_commands PROPERTIES LABELS cli TIMEOUT 300 ENVIRONMENT "WARPCHECK_ROOT=;NO_COLOR=1")
endif()
