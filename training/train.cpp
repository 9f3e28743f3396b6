// Trains one classifier: reads sentences with their classes, writes weights (README.md).

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/actors/language/text_classifier.hpp"
#include "scratchpage/actors/language/text_features.hpp"

namespace scratchpage {

namespace {

constexpr int rounds = 40;       // over all sentences
constexpr double rate = 0.2;     // of a step, before it shrinks with what was learned
constexpr double decay = 0.0002; // of a weight, for each sentence that has its feature
constexpr double smallest = 0.2; // a feature whose weights are all smaller is left out
constexpr size_t folds = 5;
constexpr std::string_view bias = "*";

struct example {
  size_t kind; // position in the classes
  std::string text;
  std::vector<std::string> features;
};

struct lesson {
  std::vector<std::string> classes; // in the order of their first sentences
  std::vector<example> examples;
};

/// The weights of a feature, and how much they have moved.
struct weight {
  std::vector<double> values;
  std::vector<double> moved;
};

using weights = std::map<std::string, weight>;

bool read(std::istream& from, lesson& to) {
  std::string line;
  for (size_t number = 1; std::getline(from, line); ++number) {
    if (line.empty() || line[0] == '#')
      continue;
    auto tab = line.find('\t');
    if (tab == std::string::npos || tab == 0 || tab + 1 == line.size()) {
      std::cerr << "line " << number << " is not a class, a tab and a text\n";
      return false;
    }
    auto name = line.substr(0, tab);
    auto i = std::find(to.classes.begin(), to.classes.end(), name);
    auto kind = static_cast<size_t>(i - to.classes.begin());
    if (i == to.classes.end())
      to.classes.push_back(name);
    auto text = line.substr(tab + 1);
    auto features = text_features(text);
    features.emplace_back(bias);
    to.examples.push_back({kind, std::move(text), std::move(features)});
  }
  return to.classes.size() > 1;
}

void to_probabilities(std::vector<double>& scores) {
  auto highest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (auto& one : scores)
    sum += one = std::exp(one - highest);
  for (auto& one : scores)
    one /= sum;
}

/// One step of AdaGrad: what has moved often moves less.
void step(weights& all, const example& one, size_t classes) {
  std::vector<weight*> known;
  std::vector<double> found(classes);
  for (const auto& feature : one.features) {
    auto& its = all[feature];
    its.values.resize(classes);
    its.moved.resize(classes);
    known.push_back(&its);
    for (size_t k = 0; k < classes; ++k)
      found[k] += its.values[k];
  }
  to_probabilities(found);
  for (auto* its : known)
    for (size_t k = 0; k < classes; ++k) {
      auto slope = found[k] - (k == one.kind ? 1 : 0) + decay * its->values[k];
      its->moved[k] += slope * slope;
      its->values[k] -= rate * slope / std::sqrt(its->moved[k] + 1e-6);
    }
}

weights train(const std::vector<const example*>& examples, size_t classes) {
  weights result;
  // The order is the same on each run, and far from that of the file.
  std::vector<size_t> order(examples.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  uint64_t state = 1;
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = order.size(); i > 1; --i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      std::swap(order[i - 1], order[(state >> 33) % i]);
    }
    for (auto i : order)
      step(result, *examples[i], classes);
  }
  return result;
}

std::string written(const weights& all, const std::vector<std::string>& classes) {
  std::ostringstream result;
  result << "hundredths";
  for (const auto& one : classes)
    result << '\t' << one;
  result << '\n';
  for (const auto& [feature, its] : all) {
    auto counts = [](double x) { return std::abs(x) >= smallest; };
    if (std::none_of(its.values.begin(), its.values.end(), counts))
      continue;
    result << feature;
    for (auto value : its.values) {
      result << '\t';
      if (auto rounded = std::llround(100 * value); rounded != 0)
        result << rounded;
    }
    result << '\n';
  }
  return result.str();
}

std::string weights_of(const std::vector<const example*>& examples, const lesson& all) {
  return written(train(examples, all.classes.size()), all.classes);
}

int check(const lesson& all) {
  size_t right = 0;
  for (size_t fold = 0; fold < folds; ++fold) {
    std::vector<const example*> learned;
    for (size_t i = 0; i < all.examples.size(); ++i)
      if (i % folds != fold)
        learned.push_back(&all.examples[i]);
    auto written = weights_of(learned, all);
    auto classifier = text_classifier::read(written);
    for (size_t i = fold; i < all.examples.size(); i += folds) {
      const auto& one = all.examples[i];
      auto found = classifier->classify(one.text);
      if (found.name == all.classes[one.kind])
        ++right;
      else
        std::cout << all.classes[one.kind] << ", not " << found.name << ": " << one.text << '\n';
    }
  }
  std::cout << right << " of " << all.examples.size() << " were right\n";
  return 0;
}

int run(int argc, char** argv) {
  bool checks = argc == 3 && std::string_view{argv[1]} == "--check";
  if (argc != 2 && !checks) {
    std::cerr << "usage: scratchpage_train [--check] SENTENCES.tsv\n";
    return 2;
  }
  std::ifstream from{argv[argc - 1]};
  lesson all;
  if (!from || !read(from, all)) {
    std::cerr << argv[argc - 1] << " has no sentences of two classes or more\n";
    return 1;
  }
  if (checks)
    return check(all);
  std::vector<const example*> examples;
  for (const auto& one : all.examples)
    examples.push_back(&one);
  std::cout << weights_of(examples, all);
  return 0;
}

} // namespace

} // namespace scratchpage

int main(int argc, char** argv) {
  return scratchpage::run(argc, argv);
}
