# What the project needs from elsewhere; docs/dependencies.md says why.

find_package(Threads REQUIRED)
include(find_caf)
find_package(Boost 1.81 REQUIRED COMPONENTS json)
find_package(roaring REQUIRED)
find_package(CLI11 REQUIRED)

# libstemmer has neither a CMake package nor a pkg-config file.
find_path(STEMMER_INCLUDE_DIR libstemmer.h REQUIRED)
find_library(STEMMER_LIBRARY stemmer REQUIRED)
add_library(stemmer::stemmer UNKNOWN IMPORTED)
set_target_properties(stemmer::stemmer PROPERTIES
  IMPORTED_LOCATION ${STEMMER_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${STEMMER_INCLUDE_DIR})
