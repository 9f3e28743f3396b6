# Checks that find_caf.cmake accepts CAF from 0.18.7 to below 2, and refuses other versions
# with an error that names the needed versions. The packages in this test are empty.
#
# usage: cmake -DFIND_CAF=…/find_caf.cmake -DWORK_DIR=… -P caf_versions_test.cmake

cmake_minimum_required(VERSION 3.25)
include(CMakePackageConfigHelpers)

set(CMAKE_SIZEOF_VOID_P 8)
set(probe ${WORK_DIR}/probe.cmake)
file(WRITE ${probe} "cmake_minimum_required(VERSION 3.25)\ninclude(${FIND_CAF})\n")

# Sets `verdict` to "taken" or to the error.
function(try_caf version)
  set(package ${WORK_DIR}/${version}/lib/cmake/CAF)
  file(WRITE ${package}/CAFConfig.cmake "")
  write_basic_package_version_file(${package}/CAFConfigVersion.cmake
    VERSION ${version} COMPATIBILITY SameMajorVersion)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env --unset=CAF_ROOT ${CMAKE_COMMAND} -DCAF_DIR=${package} -P ${probe}
    RESULT_VARIABLE status ERROR_VARIABLE said)
  if(status EQUAL 0)
    set(said taken)
  endif()
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  set(verdict "${said}" PARENT_SCOPE)
endfunction()

foreach(version 0.18.7 0.19.5 1.0.0 1.1.0)
  try_caf(${version})
  if(NOT verdict STREQUAL taken)
    message(FATAL_ERROR "CAF ${version} should be taken, but: ${verdict}")
  endif()
endforeach()

foreach(version 0.17.6 0.18.6 2.0.0)
  try_caf(${version})
  if(NOT verdict MATCHES "CAF ${version} at .* does not fit: Scratchpage needs 0.18.7 or later, below 2")
    message(FATAL_ERROR "CAF ${version} should be refused, but: ${verdict}")
  endif()
endforeach()
