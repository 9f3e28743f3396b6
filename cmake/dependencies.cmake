# What the library needs from elsewhere; docs/dependencies.md says why. The
# installed package reads this file too, so what only the program, the tests or
# the benchmarks need is looked for where they are built.

find_package(Threads REQUIRED)
include(${CMAKE_CURRENT_LIST_DIR}/find_caf.cmake)
find_package(Boost 1.81 REQUIRED COMPONENTS json)

# libstemmer has neither a CMake package nor a pkg-config file.
if(NOT TARGET stemmer::stemmer)
  find_path(STEMMER_INCLUDE_DIR libstemmer.h REQUIRED)
  find_library(STEMMER_LIBRARY stemmer REQUIRED)
  add_library(stemmer::stemmer UNKNOWN IMPORTED)
  set_target_properties(stemmer::stemmer PROPERTIES
    IMPORTED_LOCATION ${STEMMER_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${STEMMER_INCLUDE_DIR})
endif()
