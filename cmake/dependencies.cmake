# What the library needs from elsewhere; docs/dependencies.md says why. The
# installed package reads this file too, so what only the program, the tests or
# the benchmarks need is looked for where they are built.

find_package(Threads REQUIRED)
include(${CMAKE_CURRENT_LIST_DIR}/find_caf.cmake)
find_package(OpenSSL REQUIRED COMPONENTS Crypto SSL)
find_package(Boost 1.81 REQUIRED COMPONENTS json)

# Some libraries have no CMake package where they are most often taken from, and
# what pkg-config says of RE2 has -pthread in it, with which the precompiled
# header would not fit: header and library are looked for by hand.
function(scratchpage_find_library target header library)
  if(TARGET ${target})
    return()
  endif()
  string(MAKE_C_IDENTIFIER ${target} name)
  find_path(${name}_INCLUDE_DIR ${header} PATH_SUFFIXES postgresql REQUIRED)
  find_library(${name}_LIBRARY ${library} REQUIRED)
  add_library(${target} UNKNOWN IMPORTED)
  set_target_properties(${target} PROPERTIES
    IMPORTED_LOCATION ${${name}_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${${name}_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "${ARGN}")
endfunction()

# No version is asked for: RE2's versions are dates.
find_package(re2 CONFIG QUIET)
scratchpage_find_library(re2::re2 re2/re2.h re2 Threads::Threads)
find_package(xxHash CONFIG QUIET)
if(TARGET xxHash::xxhash AND NOT TARGET xxhash::xxhash)
  add_library(xxhash::xxhash ALIAS xxHash::xxhash)
endif()
scratchpage_find_library(xxhash::xxhash xxhash.h xxhash)
if(NOT TARGET zstd::zstd)
  find_package(zstd CONFIG QUIET) # its target's name depends on how it was built
  foreach(name zstd::libzstd zstd::libzstd_shared zstd::libzstd_static)
    if(TARGET ${name} AND NOT TARGET zstd::zstd)
      add_library(zstd::zstd INTERFACE IMPORTED)
      set_target_properties(zstd::zstd PROPERTIES INTERFACE_LINK_LIBRARIES ${name})
    endif()
  endforeach()
endif()
scratchpage_find_library(zstd::zstd zstd.h zstd)
scratchpage_find_library(stemmer::stemmer libstemmer.h stemmer)
find_package(SQLite3 REQUIRED)
find_package(SQLiteCpp 3.2 REQUIRED)
find_package(libpqxx CONFIG QUIET)
scratchpage_find_library(libpqxx::pq libpq-fe.h pq)
scratchpage_find_library(libpqxx::pqxx pqxx/pqxx pqxx libpqxx::pq)
