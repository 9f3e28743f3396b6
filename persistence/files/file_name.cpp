#include "scratchpage/persistence/files/file_name.hpp"

#include <algorithm>
#include <array>

#include <openssl/sha.h>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view hex = "0123456789abcdef";
constexpr size_t max_names = 8;
/// A file name may have 255 bytes; the temporary name of a file while it is written is longer.
constexpr size_t max_name_bytes = 250;
/// The rest is for endings.
constexpr size_t max_encoded_bytes = 200;
constexpr size_t long_prefix_bytes = 120;

bool is_plain(unsigned char x) {
  return (x >= 'a' && x <= 'z') || (x >= '0' && x <= '9') || x == '-' || x == '_';
}

void append_hex(std::string& to, unsigned char x) {
  to += hex[x >> 4];
  to += hex[x & 15];
}

std::string sha256_of(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  std::string result;
  for (auto x : digest)
    append_hex(result, x);
  return result;
}

bool is_file_name(std::string_view name) {
  auto is_known = [](unsigned char x) {
    return is_plain(x) || (x >= 'A' && x <= 'Z') || x == '.' || x == '%' || x == '~';
  };
  return !name.empty() && name.size() <= max_name_bytes && name.front() != '.'
         && std::all_of(name.begin(), name.end(), is_known);
}

} // namespace

std::string file_name_for(std::string_view id) {
  if (id.empty())
    return "~"; // no other id gives this name
  std::string result;
  for (unsigned char x : id) {
    if (is_plain(x)) {
      result += static_cast<char>(x);
    } else {
      result += '%';
      append_hex(result, x);
    }
  }
  if (result.size() > max_encoded_bytes)
    result = result.substr(0, long_prefix_bytes) + "~" + sha256_of(id);
  return result;
}

std::string file_name_of_content(std::string_view bytes) {
  return sha256_of(bytes).substr(0, 32);
}

caf::error check_file_path(std::string_view path) {
  auto refuse = [] {
    return fail(errc::invalid_request, "path",
      "expected a path such as scratchbook/trip.json: names of letters, digits and -_.%~, none "
      "beginning with a dot");
  };
  size_t names = 0;
  for (auto rest = path;; ++names) {
    auto end = rest.find('/');
    if (names == max_names || !is_file_name(rest.substr(0, end)))
      return refuse();
    if (end == std::string_view::npos)
      return {};
    rest.remove_prefix(end + 1);
  }
}

caf::error file_paths::add(std::string_view path) {
  if (auto err = check_file_path(path))
    return err;
  // In this order, the path of a folder comes before the paths of what is in it.
  if (!known_.empty() && path <= *known_.rbegin())
    return fail(errc::invalid_request, "path", "expected paths in the order of their bytes");
  for (auto end = path.find('/'); end != path.npos; end = path.find('/', end + 1))
    if (known_.contains(path.substr(0, end)))
      return fail(errc::invalid_request, "path",
        "expected a folder, but there is a file " + std::string{path.substr(0, end)});
  known_.emplace(path);
  return {};
}

} // namespace scratchpage
