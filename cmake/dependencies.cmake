# What the library needs from elsewhere; docs/dependencies.md says why. The
# installed package reads this file too, so what only the program, the tests or
# the benchmarks need is looked for where they are built.

find_package(Threads REQUIRED)
include(${CMAKE_CURRENT_LIST_DIR}/find_caf.cmake)
find_package(Boost 1.81 REQUIRED COMPONENTS json)

# Debian ships RE2 without its CMake package, and what pkg-config says of it has
# -pthread in it, with which the precompiled header would not fit. No version is
# asked for: its versions are dates.
find_package(re2 CONFIG QUIET)
if(NOT TARGET re2::re2)
  find_path(RE2_INCLUDE_DIR re2/re2.h REQUIRED)
  find_library(RE2_LIBRARY re2 REQUIRED)
  add_library(re2::re2 UNKNOWN IMPORTED)
  set_target_properties(re2::re2 PROPERTIES
    IMPORTED_LOCATION ${RE2_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${RE2_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()

# libstemmer has neither a CMake package nor a pkg-config file.
if(NOT TARGET stemmer::stemmer)
  find_path(STEMMER_INCLUDE_DIR libstemmer.h REQUIRED)
  find_library(STEMMER_LIBRARY stemmer REQUIRED)
  add_library(stemmer::stemmer UNKNOWN IMPORTED)
  set_target_properties(stemmer::stemmer PROPERTIES
    IMPORTED_LOCATION ${STEMMER_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${STEMMER_INCLUDE_DIR})
endif()
