# Whole kernels, executed.
warpcheck_test(kernel_row unit warpcheck-kernel)
warpcheck_test(kernel_memory unit warpcheck-kernel)
warpcheck_test(kernel_execute unit warpcheck-kernel warpcheck-spec)
warpcheck_test(kernel_search unit warpcheck-kernel warpcheck-spec)
warpcheck_test(kernel_museum replay warpcheck-kernel warpcheck-spec)
warpcheck_sampled(kernel_museum test_kernel_museum)
warpcheck_test(kernel_silicon replay warpcheck-kernel warpcheck-spec)
warpcheck_test(kernel_led unit warpcheck-kernel warpcheck-spec)
warpcheck_test(kernel_make unit warpcheck-kernel warpcheck-spec)
warpcheck_test(kernel_plant unit warpcheck-kernel warpcheck-spec)
warpcheck_test(make_refused unit warpcheck-kernel warpcheck-spec)
# Mistakes planted in the executor: each must be noticed. (A part of them without WARPCHECK_SLOW=all.)
add_test(NAME kernel_mutants COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/planted.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
  kernel)
set_tests_properties(kernel_mutants PROPERTIES LABELS slow PROCESSORS ${WARPCHECK_HALF} TIMEOUT 14400)

# Mistakes planted in the generator: the executor must refuse the kernels that are undefined then.
if(NOT WARPCHECK_SANITIZE)
  add_test(NAME make_mutants COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/planted.sh ${PROJECT_SOURCE_DIR}
    ${PROJECT_BINARY_DIR} make)
  set_tests_properties(make_mutants PROPERTIES LABELS slow PROCESSORS ${WARPCHECK_HALF} TIMEOUT 3600 ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
endif()

# The command: each exit status, and one line of what it prints.
if(TARGET warpcheck)
  # Generated kernels over a CUDA driver without a device, with and without defects, over ptxas, and over a recording.
  if(NOT WARPCHECK_SANITIZE)
    add_library(test_stub_cuda MODULE ${CMAKE_CURRENT_LIST_DIR}/plugins/stub_cuda.c)
    target_link_libraries(test_stub_cuda PRIVATE warpcheck-kernel warpcheck-spec)
    target_compile_definitions(test_stub_cuda PRIVATE _XOPEN_SOURCE=700)
    set_target_properties(test_stub_cuda PROPERTIES PREFIX "" OUTPUT_NAME libcuda SUFFIX .so.1
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/stub_cuda)
    warpcheck_cli_test(cross_kernels ${CMAKE_CURRENT_BINARY_DIR}/stub_cuda)
  endif()
  # A process that executes kernels: the executor behind a pipe, right and wrong.
  if(NOT WARPCHECK_SANITIZE)
    add_executable(test_suite_executor ${CMAKE_CURRENT_LIST_DIR}/suite_executor.c)
    target_link_libraries(test_suite_executor PRIVATE warpcheck-kernel warpcheck-spec)
    target_compile_definitions(test_suite_executor PRIVATE _XOPEN_SOURCE=700)
    warpcheck_cli_test(kernel_pipe $<TARGET_FILE:test_suite_executor>)
    # The example's plugin of kernels, with the executor as its emulator.
    add_library(test_kernel_plugin MODULE ${PROJECT_SOURCE_DIR}/examples/kernel-suite/plugin.c
      ${CMAKE_CURRENT_LIST_DIR}/suite_emulator.c)
    target_link_libraries(test_kernel_plugin PRIVATE warpcheck-kernel warpcheck-spec)
    target_compile_definitions(test_kernel_plugin PRIVATE _XOPEN_SOURCE=700)
    set_target_properties(test_kernel_plugin PROPERTIES PREFIX "")
    warpcheck_cli_test(kernel_plugin $<TARGET_FILE:test_kernel_plugin>)
  endif()
  # What devices left of generated kernels.
  file(GLOB generated CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/corpus/recordings/generated-*.txt)
  foreach(file IN LISTS generated)
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME kernel_${name} COMMAND $<TARGET_FILE:warpcheck> cross kernels ${file})
    set_tests_properties(kernel_${name} PROPERTIES LABELS replay TIMEOUT 1200)
  endforeach()
  # A suite, by the example's runner: the executor agrees, executors with planted mistakes do not. A sample; all of it.
  if(NOT WARPCHECK_SANITIZE)
    set(suite sh ${CMAKE_CURRENT_SOURCE_DIR}/planted_suite.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
      $<TARGET_FILE:warpcheck>)
    add_test(NAME kernel_suite COMMAND ${suite} 800 40)
    set_tests_properties(kernel_suite PROPERTIES LABELS cli TIMEOUT 1500 ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
    # Every twelfth mistake; with WARPCHECK_SLOW=all every one.
    add_test(NAME kernel_suite_whole COMMAND sh -c "n=12; [ \"$WARPCHECK_SLOW\" != all ] || n=all; exec \"$@\" 10000 $n" sh ${suite})
    set_tests_properties(kernel_suite_whole PROPERTIES LABELS slow PROCESSORS 2 TIMEOUT 14400
      ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
  endif()
  function(warpcheck_kernel name status pattern)
    add_test(NAME kernel_${name} COMMAND sh -c "{ \"$1\" kernel ${ARGN}\n} 2>&1; echo status=$?" sh $<TARGET_FILE:warpcheck>
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(kernel_${name} PROPERTIES LABELS cli PASS_REGULAR_EXPRESSION "${pattern}.*status=${status}\n")
  endfunction()
  set(kernels "--executions 60 corpus/kernels")
  warpcheck_kernel(clean 0 "silent.ptx: good_exited: clean on" "${kernels}/silent.ptx good_exited")
  warpcheck_kernel(error 1 "ERROR unpredictable: .*st.global.*read by unpredictable.cu:13 .shfl.*clean exactly when n % 32 == 0"
    "${kernels}/unpredictable.ptx bad_unpredictable_return_early")
  warpcheck_kernel(claims 0 "section warp_sum, lines 4. to 9.: .*held    %f7 = reduce add of %f5 lanes 0x1.*refuted refute .*section tiles.*--prove"
    "${kernels}/claims.ptx")
  if(TARGET warpcheck-smt)
    warpcheck_kernel(claims_proved 0 "PROVED  %f7 = reduce add of %f5 lanes 0x1.*PROVED  %r18 = scan add of %r7 .*PROVED  uniform %r3 over width 8"
      "${kernels}/claims.ptx --prove")
  endif()
  if(TARGET warpcheck-smt)
    warpcheck_kernel(races 0 "PROVED  race.cu:[0-9]+ .ld.shared.u32.*PROVED: 16 of 16 places" "${kernels}/race.ptx good_next_turn --races")
    warpcheck_kernel(refuted_unproved 1 "UNKNOWN: .*a part of the block.*REFUTED deadlock.cu:113.*an execution shows it"
      "${kernels}/deadlock.ptx bad_deadlock_named_barrier --prove")
    warpcheck_kernel(races_shown 1 "REFUTED race.cu:[0-9]+ .st.shared.u32.*NOT PROVED" "${kernels}/race.ptx bad_race_next_turn --races")
  endif()
  warpcheck_kernel(deadlock 1 "ERROR deadlock: .*missing 0x.*bar.sync" "${kernels}/deadlock.ptx bad_deadlock_barrier_behind")
  warpcheck_kernel(replay 1 "ERROR unpredictable.*input   block 32, grid 1, n = 1"
    "corpus/kernels/unpredictable.ptx bad_unpredictable_return_early --input 'block=32,1,1 grid=1,1,1 ctaid=0,0,0 @16=1'")
  warpcheck_kernel(replay_clean 0 "clean on 1 executions"
    "corpus/kernels/unpredictable.ptx bad_unpredictable_return_early --input 'block=32,1,1 grid=1,1,1 ctaid=0,0,0 @16=32'")
  warpcheck_kernel(param 0 "clean on" "${kernels}/unpredictable.ptx bad_unpredictable_return_early --param n=1024 --block 32 --grid 32")
  warpcheck_kernel(no_param 2 "the parameters are: n .number 2" "${kernels}/unpredictable.ptx bad_unpredictable_return_early --param m=1")
  warpcheck_kernel(bad_input 2 "'blok=1' is not understood in an input" "${kernels}/silent.ptx good_exited --input blok=1")
  warpcheck_kernel(bad_block 2 "at most 1024 threads" "${kernels}/silent.ptx --block 2048")
  warpcheck_kernel(no_entry 2 "no file has an entry of that name" "${kernels}/silent.ptx nowhere")
  warpcheck_kernel(no_file 2 "cannot be read" "nowhere.ptx")
  warpcheck_kernel(nothing 2 "needs a PTX file" "")
  warpcheck_kernel(unknown 1 "UNKNOWN on .*progress not shown" "--executions 3 --steps 1000 - <<'X'\n.version 8.6\n.target sm_90\n.address_size 64\n.entry k() {\nL: bra L;\n}\nX\n")
  warpcheck_kernel(unread 2 "NOT READ.*wmma" "- <<'X'\n.version 8.6\n.target sm_90\n.address_size 64\n.entry k() {\nwmma.load.x;\nret;\n}\nX\n")
  # A kept error: its folder, and the same error again by `replay`.
  add_test(NAME kernel_kept COMMAND sh -c "$1 kernel ${kernels}/undefined.ptx bad_undefined_half_mask --out $2 ; $1 replay $2 --quiet; echo status=$?"
    sh $<TARGET_FILE:warpcheck> ${CMAKE_CURRENT_BINARY_DIR}/kernel-kept WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(kernel_kept PROPERTIES LABELS cli
    PASS_REGULAR_EXPRESSION "replay: warpcheck replay .*kernel.ptx:1: ERROR: undefined: .*1 kernel launches, .*status=1\n")
  warpcheck_kernel(json 1 "\"kind\": \"undefined\"" "--json ${kernels}/undefined.ptx bad_undefined_half_mask")
endif()
