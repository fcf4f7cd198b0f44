# The model libraries for other people's programs: CMake package, pkg-config file, headers.
include(CMakePackageConfigHelpers)
install(DIRECTORY model/include/warpcheck DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES model/spec/warpcheck_spec.h model/fast/warpcheck_fast.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warpcheck)
