# CAF 0.18.7 up to 1.x. A version in find_package() would not do: 1.1.0 does not
# count as compatible with 0.18.7 there.

find_package(CAF QUIET COMPONENTS core io)
if(NOT CAF_FOUND)
  message(FATAL_ERROR
    "CAF (the C++ Actor Framework) was not found. './dev setup' builds it from your package archive; "
    "with a CAF of your own, point CAF_ROOT or CMAKE_PREFIX_PATH at it.")
endif()
if(CAF_VERSION VERSION_LESS 0.18.7 OR CAF_VERSION VERSION_GREATER_EQUAL 2)
  message(FATAL_ERROR
    "CAF ${CAF_VERSION} at ${CAF_DIR} does not fit: Scratchpage needs 0.18.7 or later, below 2. "
    "Debian's libcaf-dev is too old; './dev setup' builds a fitting one.")
endif()
