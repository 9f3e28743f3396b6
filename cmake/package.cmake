# Installation: the libraries, their public headers, the program, and a package
# for find_package(scratchpage); and the Debian packages of them,
# `scratchpage` of the component `program`, `libscratchpage-dev` of `development`.

include(CMakePackageConfigHelpers)

install(TARGETS scratchpage scratchpage_testing EXPORT scratchpage
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(TARGETS scratchpage_cli
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
set(public_headers_list ${PROJECT_SOURCE_DIR}/cmake/public_headers.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${public_headers_list})
file(STRINGS ${public_headers_list} public_headers REGEX "^[^#]")
foreach(header IN LISTS public_headers)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${header}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/scratchpage/${folder} COMPONENT development)
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
  DESTINATION ${package_dir} COMPONENT development)
install(EXPORT scratchpage FILE scratchpageTargets.cmake NAMESPACE scratchpage::
  DESTINATION ${package_dir} COMPONENT development)

if(NOT PROJECT_IS_TOP_LEVEL OR SCRATCHPAGE_SANITIZER)
  return()
endif()

# Debian has no CAF that fits, and the library's own templates are compiled
# against this one: the Debian package has it in a folder where nobody else looks.
get_target_property(caf_kind CAF::core TYPE)
get_filename_component(caf_root ${CAF_DIR}/../../.. ABSOLUTE)
if(caf_kind STREQUAL STATIC_LIBRARY AND EXISTS ${caf_root}/include/caf)
  install(DIRECTORY ${caf_root}/include/caf DESTINATION ${package_dir}/caf/include
    COMPONENT development EXCLUDE_FROM_ALL)
  install(DIRECTORY ${caf_root}/lib/ DESTINATION ${package_dir}/caf/lib
    COMPONENT development EXCLUDE_FROM_ALL
    FILES_MATCHING PATTERN "libcaf_*.a" PATTERN "CAF*.cmake")
endif()
# A Debian package has no debugging symbols in static libraries; CPack strips programs only.
foreach(library scratchpage scratchpage_testing)
  install(CODE "execute_process(COMMAND ${CMAKE_STRIP} --strip-debug
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/lib${library}.a\" COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT development EXCLUDE_FROM_ALL)
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_NAME scratchpage)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each has its own
set(CPACK_PACKAGE_CONTACT "Scratchpage maintainers <maintainers@scratchpage.invalid>")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0) # as many as there are cores, for xz
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(debian ${PROJECT_SOURCE_DIR}/packaging/debian)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME scratchpage)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS adduser)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS postgresql)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA ${debian}/postinst ${debian}/prerm ${debian}/postrm)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "working memory and message bus of AI daemons
An agent's daemons and tools tell each other what they noticed on a page:
observations with a type, tags, a confidence and a lifetime. They are added,
queried, followed and archived from a shell, over HTTP, JSON-RPC and the Model
Context Protocol.
.
This package has the program, a service for systemd that is started when its
administrator says so, the manual page, and completions for bash, zsh and fish.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libscratchpage-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
string(JOIN ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  libboost-json1.81-dev libboost1.81-dev libpq-dev libpqxx-dev libre2-dev libsqlite3-dev
  libsqlitecpp-dev libssl-dev libstemmer-dev libxxhash-dev libzstd-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS cmake)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "working memory of AI daemons - library to embed
An agent's daemons and tools tell each other what they noticed on a page:
observations with a type, tags, a confidence and a lifetime.
.
This package has the static library, one for tests on virtual time, their
headers, the CMake package scratchpage for find_package(), and the C++ Actor
Framework that they were built with.")
include(CPack)
