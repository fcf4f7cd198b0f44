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
file(GLOB corpus_cases CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/corpus/cases/*.txt)
add_executable(test_corpus test_corpus.c)
target_include_directories(test_corpus PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(test_corpus PRIVATE warpcheck_flags warpcheck-spec warpcheck-model warpcheck-base)
file(GLOB corpus_seeds CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/corpus/seeds/*.txt)
add_test(NAME corpus COMMAND test_corpus ${corpus_cases} ${corpus_seeds})
add_test(NAME corpus_alone COMMAND test_corpus ${corpus_cases}) # every form has a case with an expectation
set_tests_properties(corpus corpus_alone PROPERTIES LABELS "unit;replay")
