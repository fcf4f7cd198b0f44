# PTX lines and programs.
warpcheck_test(ptx unit warpcheck-kernel)
warpcheck_test(ptx_module unit warpcheck-ptx)
warpcheck_test(ptx_module_errors unit warpcheck-ptx)
warpcheck_test(ptx_errors unit warpcheck-kernel)
warpcheck_test(program unit warpcheck-kernel)
warpcheck_test(program_errors unit warpcheck-kernel)
warpcheck_test(program_compute unit warpcheck-kernel m)
warpcheck_test(program_execute unit warpcheck-kernel warpcheck-spec)
warpcheck_test(program_claims unit warpcheck-kernel warpcheck-spec)
warpcheck_test(program_differ unit warpcheck-kernel warpcheck-spec)
warpcheck_test(program_lint unit warpcheck-kernel warpcheck-spec)
warpcheck_test(program_corpus replay warpcheck-kernel warpcheck-spec warpcheck-fast)
target_compile_definitions(test_program_corpus PRIVATE _XOPEN_SOURCE=700)

# The commands: each exit status, and one line of what they print.
if(TARGET warpcheck)
  function(warpcheck_status name status pattern)
    add_test(NAME ${name} COMMAND sh -c "{ \"$1\" ${ARGN}\n} 2>&1; echo status=$?" sh $<TARGET_FILE:warpcheck>
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES LABELS cli PASS_REGULAR_EXPRESSION "${pattern}.*status=${status}\n")
  endfunction()
  warpcheck_status(lint_legal 0 "0 illegal, 0 undefined" "lint -e 'shfl.sync.up.b32 Ry|p, Rx, 0x1, 0x0, 0xffffffff;'")
  warpcheck_status(lint_illegal 1 "-e:1:1: illegal: shfl.up.b32, having no .sync, was removed in PTX 6.4"
    "lint --ptx 6.4 --target sm_70 -e 'shfl.up.b32 d, a, 1, 0;'")
  warpcheck_status(lint_undefined 1 "undefined: may wait for ever" "lint corpus/programs/wrong/full-mask-branch.ptx")
  warpcheck_status(lint_unreadable 2 "-e:1:13: expected ',' or ';', found 'a'" "lint -e '.reg .b32 d a;'")
  warpcheck_status(lint_no_file 2 "nowhere.ptx: cannot be read" "lint nowhere.ptx")
  warpcheck_status(lint_bad_version 2 "not a known PTX version" "lint --ptx 8 -e 'activemask.b32 d;'")
  warpcheck_status(lint_bad_target 2 "not a known target" "lint --target sm_1 -e 'activemask.b32 d;'")
  warpcheck_status(lint_nothing 2 "needs a PTX file" "lint")
  warpcheck_status(lint_standard_input 0 "-: PTX 9.1, sm_90: 1 warp instruction"
    "lint --ptx 9.1 --target sm_90 - < corpus/programs/width/broadcast-08.ptx")
  warpcheck_status(program_command 0 "held         claim  Rx = scan add" "program --inputs 20 corpus/programs/manual")
  warpcheck_status(program_contradicted 1 "CONTRADICTED claim  uniform y"
    "program --inputs 20 - <<'X'\nmov.u32 y, %laneid;\n//! claim uniform y\nX\n")
  warpcheck_status(program_unreadable 2 "-:1:12: b is read before anything writes it" "program - <<'X'\nadd.u32 a, b, 1;\nX\n")
  warpcheck_status(program_show 0 "lane  in:Rx" "program --show 0 corpus/programs/width/scan-add-u32-04.ptx")
  warpcheck_status(program_against 0 "spec does as fast-portable on 20 inputs"
    "program --impl spec --against fast-portable --inputs 20 corpus/programs/width/scan-add-u32-04.ptx")
  warpcheck_status(program_differs 1 "line [0-9]+, .shfl.sync.bfly.b32 .*: Ry in lane [0-9]+ is 0x"
    "program --impl $<TARGET_FILE:warpcheck-mutants>:width-ignored --against spec corpus/programs/width/butterfly-add-u32-08.ptx")
  warpcheck_status(program_against_nobody 2 "nobody" "program --against nobody corpus/programs/width/scan-add-u32-04.ptx")
  warpcheck_status(program_against_json 1 "\"signature\": \"program-shfl.sync-values\""
    "program --json --impl $<TARGET_FILE:warpcheck-mutants>:width-ignored --against spec corpus/programs/width/butterfly-add-u32-08.ptx")
  warpcheck_status(lint_json 1 "\"kind\": \"illegal\"" "lint --json -e 'redux.sync.mul.u32 d, a, m;'")
  warpcheck_status(program_json 0 "\"verdict\": \"refuted\"" "program --json --inputs 20 corpus/programs/wrong/subtract.ptx")
endif()
