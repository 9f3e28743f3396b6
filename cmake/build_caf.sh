#!/usr/bin/env bash
# Builds CAF once and keeps it outside the tree, so that every checkout shares it.
#
# usage: cmake/build_caf.sh [plain|asan|tsan]
#
# Prints the install prefix on its last line. The cache is
# ${SCRATCHPAGE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/scratchpage}, keyed by
# CAF's version, the compiler and the flags. The source comes from the package
# archive that apt already uses, through a private apt folder: signatures are
# checked and the machine's own apt configuration stays as it was.
set -euo pipefail

readonly variant=${1:-plain}
readonly recipe=1 # raise when the way CAF is configured below changes
readonly cache=${SCRATCHPAGE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/scratchpage}
readonly compiler=${CXX:-c++}

case $variant in
  plain) flags="-O2 -g0" ;;
  asan) flags="-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined" ;;
  tsan) flags="-O1 -g1 -fno-omit-frame-pointer -fsanitize=thread" ;;
  *) echo "build_caf.sh: '$variant' is not one of plain, asan, tsan" >&2; exit 2 ;;
esac

mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9 # two checkouts may set up at the same time

fetch_source() { # prints the tarball's path
  local have
  have=$(ls "$cache"/source/actor-framework_*.orig.tar.gz 2>/dev/null | sort -V | tail -n 1)
  if [ -n "$have" ]; then echo "$have"; return; fi
  local archive apt=$cache/apt
  archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
    'Origin: Debian' 'Label: Debian' | head -n 1)
  [ -n "$archive" ] || { echo "build_caf.sh: apt knows no Debian archive to take CAF's source from;" \
    "install CAF 0.18.7 or later yourself and set CAF_ROOT" >&2; exit 1; }
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$cache/source"
  printf 'Types: deb-src\nURIs: %s\nSuites: experimental\nComponents: main\nSigned-By: %s\n' \
    "$archive" /usr/share/keyrings/debian-archive-keyring.gpg >"$apt/debian.sources"
  local private=(-o "Dir::Etc::SourceList=$apt/debian.sources" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root)
  apt-get "${private[@]}" -qq update >&2
  (cd "$cache/source" && apt-get "${private[@]}" -qq source --tar-only actor-framework >&2)
  ls "$cache"/source/actor-framework_*.orig.tar.gz | sort -V | tail -n 1
}

tarball=$(fetch_source)
version=${tarball##*actor-framework_} version=${version%.orig.tar.gz}
key=$(printf '%s|%s|%s|%s' "$recipe" "$version" "$("$compiler" --version | head -n 1)" "$flags" | sha256sum | cut -c1-12)
readonly prefix=$cache/caf-$version-$variant-$key

if [ ! -e "$prefix/.complete" ]; then
  echo "building CAF $version ($variant), once: about four minutes on two cores" >&2
  work=$(mktemp -d "$cache/build.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/src"
  tar -xzf "$tarball" -C "$work/src" --strip-components=1
  cmake -S "$work/src" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_CXX_STANDARD=20 -DCMAKE_CXX_FLAGS="$flags" -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCAF_ENABLE_EXAMPLES=OFF -DCAF_ENABLE_TESTING=OFF -DCAF_ENABLE_TOOLS=OFF \
    -DCAF_ENABLE_IO_MODULE=ON -DCAF_ENABLE_OPENSSL_MODULE=ON >"$work/configure.log" \
    || { cat "$work/configure.log" >&2; exit 1; }
  cmake --build "$work/build" >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log" >&2; exit 1; }
  cmake --install "$work/build" >/dev/null
  touch "$prefix/.complete"
fi
echo "$prefix"
