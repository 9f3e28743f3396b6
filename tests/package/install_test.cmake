# Installs the build into a folder of its own and lets a small project of a user
# find it there, build with it and run.
#
# usage: cmake -DBUILD_DIR=… -DWORK_DIR=… -DCAF_ROOT=… -DCXX=… -P install_test.cmake

cmake_minimum_required(VERSION 3.25)

function(step title)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${title} failed:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
step("installing" ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
step("configuring the user's project" ${CMAKE_COMMAND} -G Ninja
  -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK_DIR}/build
  -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCAF_ROOT=${CAF_ROOT} -DCMAKE_CXX_COMPILER=${CXX})
step("building the user's project" ${CMAKE_COMMAND} --build ${WORK_DIR}/build)
step("running the user's program" ${WORK_DIR}/build/consumer)
if(NOT output STREQUAL "one tag: a\n")
  message(FATAL_ERROR "the user's program says: ${output}")
endif()

# What is installed does not point back to where it was built.
file(GLOB_RECURSE config_files ${WORK_DIR}/prefix/*.cmake)
foreach(file IN LISTS config_files)
  file(READ ${file} text)
  string(FIND "${text}" ${BUILD_DIR} position)
  if(NOT position EQUAL -1)
    message(FATAL_ERROR "${file} names the build tree")
  endif()
endforeach()
if(NOT EXISTS ${WORK_DIR}/prefix/bin/scratchpage)
  message(FATAL_ERROR "the program is not installed")
endif()
