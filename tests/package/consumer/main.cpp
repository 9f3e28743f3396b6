#include <iostream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/type_ids.hpp"

int main() {
  scratchpage::init_messages();
  auto filter = scratchpage::from_json_text<scratchpage::observation_filter>(R"({"tags":["a"]})");
  if (!filter)
    return 1;
  std::cout << "one tag: " << filter->tags.front() << '\n';
}
