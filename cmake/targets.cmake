# One function per kind of target, one interface target for what all share.

add_library(scratchpage_build INTERFACE)
set(CMAKE_CXX_EXTENSIONS OFF)
target_compile_features(scratchpage_build INTERFACE cxx_std_20)
target_compile_options(scratchpage_build INTERFACE
  # designated initialisers leave out what has a default, on purpose
  -Wall -Wextra -Wpedantic -Wno-missing-field-initializers -Wnon-virtual-dtor -Woverloaded-virtual
  # One code model for all, or the precompiled header could not be shared.
  -fPIC -fno-semantic-interposition
  $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>
  # ccache needs to see through precompiled headers.
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
# g++ 12, when it optimises (a release does, and what is sanitised), sees overflows in its own
# std::string (its bugs 105329 and 105651), a use after free in CAF's counted pointers, a delete of
# the error that a caf::expected with a value does not have, and what sanitisers add as unset.
set(false_alarms -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds
  -Wno-use-after-free -Wno-free-nonheap-object)
if(SCRATCHPAGE_SANITIZER)
  list(APPEND false_alarms -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND (CMAKE_BUILD_TYPE STREQUAL Release OR SCRATCHPAGE_SANITIZER))
  target_compile_options(scratchpage_build INTERFACE ${false_alarms})
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # Once more, after -Wextra: where another library asks for it as well, CMake puts it first, and for
  # clang the last one counts.
  target_compile_options(scratchpage_build INTERFACE "SHELL:-Wextra -Wno-missing-field-initializers")
endif()
# g++ looks for memory to reuse only once it has taken half a gigabyte. A release compiles in a
# twelfth less time.
target_compile_options(scratchpage_build INTERFACE
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:--param=ggc-min-heapsize=524288>)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(scratchpage_build INTERFACE -Werror)
endif()
# Where the tests run, an element beyond the end of a container ends the program.
target_compile_definitions(scratchpage_build INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
if(SCRATCHPAGE_SANITIZER STREQUAL asan)
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
elseif(SCRATCHPAGE_SANITIZER STREQUAL tsan)
  set(sanitize -fsanitize=thread)
  # g++ says of each fence in Asio that the sanitiser does not see it: at worst a false alarm.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    list(APPEND sanitize -Wno-tsan)
  endif()
endif()
if(SCRATCHPAGE_FUZZ)
  list(APPEND sanitize -fsanitize=fuzzer-no-link)
endif()
target_compile_options(scratchpage_build INTERFACE ${sanitize})
target_link_options(scratchpage_build INTERFACE ${sanitize})

find_program(CCACHE ccache)
if(CCACHE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    # Another clone of the same sources finds what this one has compiled.
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD AND PROJECT_IS_TOP_LEVEL)
  # Debug information is compressed: without that, the linked tests take 8 GB of the disk in place of
  # some 5 GB.
  add_link_options(-fuse-ld=mold $<$<CONFIG:Debug>:LINKER:--compress-debug-sections=zlib>)
endif()

# One precompiled header for every target. It holds what comes from elsewhere and
# nothing of ours: a change of ours never rebuilds it, and with our headers in it
# loading it costs more than most files win.
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cpp CONTENT "")
add_library(scratchpage_precompiled OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
target_link_libraries(scratchpage_precompiled PRIVATE scratchpage_build CAF::core Boost::json)
target_precompile_headers(scratchpage_precompiled PRIVATE
  <string> <vector> <boost/json.hpp> <caf/typed_actor.hpp> <caf/typed_event_based_actor.hpp>)

# scratchpage_folder(NAME SOURCES... LINKS...): one room of the architecture, an
# object library that ends up in the one library `scratchpage`.
function(scratchpage_folder name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_library(scratchpage_${name} OBJECT ${arg_SOURCES})
  target_link_libraries(scratchpage_${name}
    PUBLIC ${arg_LINKS} CAF::core Boost::json
    PRIVATE scratchpage_build)
  target_include_directories(scratchpage_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
  target_precompile_headers(scratchpage_${name} REUSE_FROM scratchpage_precompiled)
  scratchpage_group(scratchpage_${name} ${arg_SOURCES})
endfunction()

# scratchpage_group(TARGET SOURCES...): where a build compiles several sources as one
# (CMAKE_UNITY_BUILD), these are of one folder. So a new source changes what is together in its own
# folder alone, and only there a name in an unnamed namespace has to be the only one.
function(scratchpage_group target)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "folder_${folder}" folder)
    math(EXPR ${folder} "0${${folder}} + 1")
    math(EXPR part "(${${folder}} - 1) / ${CMAKE_UNITY_BUILD_BATCH_SIZE}")
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${folder}_${part})
  endforeach()
endfunction()

# scratchpage_program(NAME SOURCES... LINKS... [PRECOMPILED TARGET]): an executable
# on the library; TARGET is whose precompiled header it has, if not the one of all.
function(scratchpage_program name)
  cmake_parse_arguments(arg "" "PRECOMPILED" "SOURCES;LINKS" ${ARGN})
  if(NOT arg_PRECOMPILED)
    set(arg_PRECOMPILED scratchpage_precompiled)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE scratchpage::scratchpage scratchpage_build ${arg_LINKS})
  target_precompile_headers(${name} REUSE_FROM ${arg_PRECOMPILED})
endfunction()

# scratchpage_test(NAME SOURCES... LINKS... [PRECOMPILED TARGET]): a Boost.Test
# program and its CTest entry. Every entry has a timeout; no test waits for the
# wall clock.
function(scratchpage_test name)
  cmake_parse_arguments(arg "" "PRECOMPILED;TIMEOUT" "SOURCES;LINKS;ARGS" ${ARGN})
  # The file that names the Boost.Test module is the first of those that are compiled together.
  foreach(source IN LISTS arg_SOURCES)
    file(STRINGS ${source} module REGEX "^#define BOOST_TEST_MODULE")
    if(module)
      list(REMOVE_ITEM arg_SOURCES ${source})
      list(PREPEND arg_SOURCES ${source})
    endif()
  endforeach()
  scratchpage_program(test_${name} SOURCES ${arg_SOURCES}
    LINKS test_support ${arg_LINKS} PRECOMPILED ${arg_PRECOMPILED})
  # Compiled together with others, no test is the main file any more, and g++ then wonders who else
  # might see what is without a name.
  target_compile_options(test_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  add_test(NAME ${name} COMMAND test_${name} ${arg_ARGS})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
endfunction()

# scratchpage_soak(NAME PROGRAM ARGS...): the long version of a test, as a CTest
# entry that only `ctest -C Soak` has. How long is in the environment, see
# `./dev soak`.
function(scratchpage_soak name program)
  if(NOT TARGET soak_programs)
    add_custom_target(soak_programs)
  endif()
  add_dependencies(soak_programs ${program})
  add_test(NAME ${name} COMMAND ${program} ${ARGN} CONFIGURATIONS Soak)
  set_tests_properties(${name} PROPERTIES LABELS soak TIMEOUT 3600)
endfunction()
