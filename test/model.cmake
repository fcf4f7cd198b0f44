# Tests of the model: the instruction table, cases, comparison, and the forms of a case.
warpcheck_test(form unit warpcheck-model)
warpcheck_test(case unit warpcheck-model)
warpcheck_test(compare unit warpcheck-model)
warpcheck_test(text unit warpcheck-model)
warpcheck_test(text_errors unit warpcheck-model)
warpcheck_test(bytes unit warpcheck-model)
warpcheck_test(generate unit warpcheck-model)
warpcheck_test(lanes unit warpcheck-model warpcheck-spec warpcheck-check)

# A plain program over the files of the corpus.
file(GLOB_RECURSE corpus_cases CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/corpus/cases/*.txt)
add_executable(test_corpus test_corpus.c)
target_link_libraries(test_corpus PRIVATE warpcheck_flags warpcheck-spec warpcheck-model)
add_test(NAME corpus COMMAND test_corpus ${corpus_cases})
set_tests_properties(corpus PROPERTIES LABELS "unit;replay")
