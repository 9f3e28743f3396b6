# Installation: the library, its headers as they lie in the tree, the program,
# and a package for find_package(scratchpage).

include(CMakePackageConfigHelpers)

install(TARGETS scratchpage EXPORT scratchpage
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS scratchpage_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(folder messages persistence actors runtime)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/scratchpage
    FILES_MATCHING PATTERN *.hpp)
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/scratchpage)
configure_package_config_file(cmake/scratchpageConfig.cmake.in
  ${PROJECT_BINARY_DIR}/scratchpageConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/scratchpageConfigVersion.cmake
  COMPATIBILITY SameMinorVersion) # until 1.0, a minor version may break
install(FILES
  ${PROJECT_BINARY_DIR}/scratchpageConfig.cmake
  ${PROJECT_BINARY_DIR}/scratchpageConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/find_caf.cmake
  ${PROJECT_SOURCE_DIR}/cmake/dependencies.cmake
  DESTINATION ${package_dir})
install(EXPORT scratchpage FILE scratchpageTargets.cmake NAMESPACE scratchpage::
  DESTINATION ${package_dir})
