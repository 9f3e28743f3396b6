# scratchpage_embed(TARGET FILE VARIABLE): compiles a text file into TARGET as
# `extern const std::string_view scratchpage::embedded::VARIABLE`. A change of
# the file configures again.
function(scratchpage_embed target file variable)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/embedded_${variable}.cpp)
  file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT [[
#include <string_view>

namespace scratchpage::embedded {

extern const std::string_view @variable@;
const std::string_view @variable@ = R"embedded_text(@text@)embedded_text";

} // namespace scratchpage::embedded
]])
  target_sources(${target} PRIVATE ${generated})
endfunction()
