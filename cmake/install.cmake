# The model libraries for other people's programs: a CMake package (warpcheck::model, ::spec, ::fast), a pkg-config
# file, headers; and the program itself.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/warpcheck)
install(DIRECTORY model/include/warpcheck DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(FILES model/spec/warpcheck_spec.h model/fast/warpcheck_fast.h model/fast/warpcheck_batch.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warpcheck)

foreach(part IN ITEMS model spec fast)
  set_target_properties(warpcheck-${part} PROPERTIES EXPORT_NAME ${part})
endforeach()
install(TARGETS warpcheck-model warpcheck-spec warpcheck-fast EXPORT warpcheck-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT warpcheck-targets NAMESPACE warpcheck:: DESTINATION ${package_dir})

configure_package_config_file(cmake/warpcheck-config.cmake.in "${PROJECT_BINARY_DIR}/warpcheck-config.cmake"
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/warpcheck-config-version.cmake" COMPATIBILITY SameMinorVersion)
# From the file to the prefix, which --prefix chooses at install time.
file(RELATIVE_PATH WARPCHECK_PC_UP "${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
configure_file(cmake/warpcheck.pc.in "${PROJECT_BINARY_DIR}/warpcheck.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/warpcheck-config.cmake" "${PROJECT_BINARY_DIR}/warpcheck-config-version.cmake"
  DESTINATION ${package_dir})
install(FILES "${PROJECT_BINARY_DIR}/warpcheck.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
