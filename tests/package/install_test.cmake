# Installs the build into a temporary folder. Then builds and runs projects that use it from
# there: a small one, the samples of docs/embedding.md, and one that includes every
# installed header.
#
# usage: cmake -DBUILD_DIR=… -DSOURCE_DIR=… -DWORK_DIR=… -DCAF_ROOT=… -DCXX=… -P install_test.cmake

cmake_minimum_required(VERSION 3.25)

function(step title)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${title} failed:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Builds a project outside of the tree in ${WORK_DIR}/NAME.
function(build_project name folder)
  step("configuring ${name}" ${CMAKE_COMMAND} -G Ninja -S ${folder} -B ${WORK_DIR}/${name}
    -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCAF_ROOT=${CAF_ROOT} -DCMAKE_CXX_COMPILER=${CXX})
  step("building ${name}" ${CMAKE_COMMAND} --build ${WORK_DIR}/${name})
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
step("installing" ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
build_project("consumer" ${CMAKE_CURRENT_LIST_DIR}/consumer)
step("running the user's program" ${WORK_DIR}/consumer/consumer)
if(NOT output STREQUAL "one tag: a\n")
  message(FATAL_ERROR "the user's program says: ${output}")
endif()

# Exactly the public headers are installed, and each compiles alone.
file(STRINGS ${SOURCE_DIR}/cmake/public_headers.txt public REGEX "^[^#]")
file(GLOB_RECURSE installed RELATIVE ${WORK_DIR}/prefix/include/scratchpage
  ${WORK_DIR}/prefix/include/scratchpage/*)
list(SORT public)
list(SORT installed)
if(NOT installed STREQUAL public)
  message(FATAL_ERROR "installed are: ${installed}\nexpected: ${public}")
endif()
build_project("headers" ${CMAKE_CURRENT_LIST_DIR}/headers)

build_project("embedding" ${SOURCE_DIR}/samples/embedding)
step("running the samples" ${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR}/embedding
  --output-on-failure --no-tests=error)

# Installed files do not name the build tree.
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
