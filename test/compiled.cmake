# Proofs about compiled code: users' functions, the translator against the processor, the command.
if(NOT TARGET warpcheck-compiled)
  message(STATUS "  proofs about compiled code: OFF (install llvm-14-dev and clang-14)")
  return()
endif()

# warpcheck_user_bitcode(LEVEL): test/compiled/user/*.c at -OLEVEL, as a user would compile them.
set(user_bitcode ${CMAKE_CURRENT_BINARY_DIR}/compiled)
set(user_files)
file(GLOB user_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/compiled/user/*.c)
foreach(level IN ITEMS 1 2)
  file(MAKE_DIRECTORY ${user_bitcode}/O${level})
  foreach(source IN LISTS user_sources)
    get_filename_component(name ${source} NAME_WE)
    set(output ${user_bitcode}/O${level}/${name}.bc)
    add_custom_command(OUTPUT ${output} DEPENDS ${source} VERBATIM
      COMMAND ${WARPCHECK_CLANG_14} -std=c17 -O${level} -w -I${PROJECT_SOURCE_DIR}/model/include -emit-llvm -c ${source} -o ${output})
    list(APPEND user_files ${output})
  endforeach()
endforeach()
add_custom_target(compiled_user_bitcode ALL DEPENDS ${user_files})

add_executable(test_compiled_user test_compiled_user.c)
target_include_directories(test_compiled_user PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(test_compiled_user PRIVATE warpcheck_flags warpcheck-compiled warpcheck-spec)
add_dependencies(test_compiled_user compiled_user_bitcode)

# Each known mistake at both levels of optimization, each right implementation at -O2; the others with the slow tests.
function(warpcheck_user_test name label level)
  add_test(NAME compiled_user_${name} COMMAND test_compiled_user ${user_bitcode}/O${level} ${ARGN}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(compiled_user_${name} PROPERTIES LABELS ${label} TIMEOUT 600)
endfunction()
warpcheck_user_test(wrong_O2 smt 2 wrong_shfl wrong_group undefined impl_wrong)
warpcheck_user_test(wrong_O1 smt 1 wrong_shfl wrong_group undefined impl_wrong)
warpcheck_user_test(right_O2 smt 2 right impl_right)
warpcheck_user_test(right_O1 slow 1 right impl_right)

warpcheck_test(compiled_refused smt warpcheck-compiled warpcheck-spec ${WARPCHECK_LLVM_LIBRARY})
target_include_directories(test_compiled_refused SYSTEM PRIVATE ${WARPCHECK_LLVM_INCLUDE})
target_compile_definitions(test_compiled_refused PRIVATE _XOPEN_SOURCE=700)

# The translator's meaning of each operation and intrinsic against the processor's.
add_executable(test_compiled_operations test_compiled_operations.c)
target_include_directories(test_compiled_operations PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(test_compiled_operations SYSTEM PRIVATE ${WARPCHECK_LLVM_INCLUDE})
target_compile_definitions(test_compiled_operations PRIVATE _XOPEN_SOURCE=700)
target_link_libraries(test_compiled_operations PRIVATE warpcheck_flags warpcheck-compiled ${WARPCHECK_LLVM_LIBRARY})
add_test(NAME compiled_operations COMMAND test_compiled_operations ${PROJECT_SOURCE_DIR}/proofs/x86.c)
set_tests_properties(compiled_operations PROPERTIES LABELS smt)

# The translated sources, function by function, against their native code.
add_executable(test_compiled_functions test_compiled_functions.c)
target_include_directories(test_compiled_functions PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(test_compiled_functions SYSTEM PRIVATE ${WARPCHECK_LLVM_INCLUDE})
target_link_libraries(test_compiled_functions PRIVATE warpcheck_flags warpcheck-compiled warpcheck-check warpcheck-spec
  warpcheck-fast ${WARPCHECK_LLVM_LIBRARY})
add_test(NAME compiled_functions COMMAND test_compiled_functions ${PROJECT_BINARY_DIR}/proofs/bitcode
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(compiled_functions PROPERTIES LABELS smt)

# The command.
if(TARGET warpcheck)
  add_test(NAME compiled_commands COMMAND ${CMAKE_CURRENT_LIST_DIR}/compiled/commands.sh $<TARGET_FILE:warpcheck> ${WARPCHECK_CLANG_14}
    $<TARGET_FILE:warpcheck_broken>)
  set_tests_properties(compiled_commands PROPERTIES LABELS cli TIMEOUT 300 ENVIRONMENT "WARPCHECK_ROOT=;NO_COLOR=1")
endif()
