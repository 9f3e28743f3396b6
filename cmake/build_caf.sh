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
shopt -s inherit_errexit nullglob

readonly variant=${1:-plain}
readonly recipe=1 # raise when what is built below changes
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

die() {
  echo "build_caf.sh: $*" >&2
  exit 1
}

newest_tarball() {
  printf '%s\n' "$cache"/source/actor-framework_*.orig.tar.gz | sort -V | tail -n 1
}

# The archive that apt already takes packages from. A machine without package
# lists knows it only after an update.
archive() {
  local query=(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian'
    'Label: Debian') found
  found=$("${query[@]}" | sort -u | head -n 1)
  if [ -z "$found" ] && [ "$(id -u)" -eq 0 ]; then
    apt-get -qq update >&2 || true
    found=$("${query[@]}" | sort -u | head -n 1)
  fi
  echo "$found"
}

fetch_source() { # prints the tarball's path
  local uri apt=$cache/apt private
  if [ -n "$(newest_tarball)" ]; then
    newest_tarball
    return
  fi
  command -v apt-get >/dev/null || die "there is no apt here to take CAF's source from;" \
    "install CAF 0.18.7 or later yourself and set CAF_ROOT"
  uri=$(archive)
  [ -n "$uri" ] || die "apt knows no Debian archive to take CAF's source from;" \
    "install CAF 0.18.7 or later yourself and set CAF_ROOT"
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$cache/source"
  printf 'Types: deb-src\nURIs: %s\nSuites: experimental\nComponents: main\nSigned-By: %s\n' \
    "$uri" /usr/share/keyrings/debian-archive-keyring.gpg >"$apt/debian.sources"
  private=(-o "Dir::Etc::SourceList=$apt/debian.sources" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root
    -o Acquire::Retries=3)
  apt-get "${private[@]}" -qq update >&2
  (cd "$cache/source" && apt-get "${private[@]}" -qq source --tar-only actor-framework >&2)
  newest_tarball
}

# On a terminal ninja shows how far it is; elsewhere only a failure speaks.
compile() { # BUILD_TREE
  if [ -t 2 ]; then
    cmake --build "$1" >&2
  else
    cmake --build "$1" >"$1.log" 2>&1 || { tail -n 40 "$1.log" >&2; return 1; }
  fi
}

tarball=$(fetch_source)
[ -n "$tarball" ] || die "CAF's source did not arrive"
version=${tarball##*actor-framework_} version=${version%.orig.tar.gz}
key=$(printf '%s|%s|%s|%s' "$recipe" "$version" "$("$compiler" --version | head -n 1)" "$flags" | sha256sum | cut -c1-12)
readonly prefix=$cache/caf-$version-$variant-$key

if [ ! -e "$prefix/.complete" ]; then
  echo "building CAF $version ($variant), once: about two minutes on two cores" >&2
  work=$(mktemp -d "$cache/build.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/src"
  tar -xzf "$tarball" -C "$work/src" --strip-components=1
  # Ten sources are compiled as one, so that headers are read less often: it takes a third of the
  # time. native_socket.cpp is compiled alone, because another source has functions of the same names.
  cat >"$work/unity.cmake" <<'END'
cmake_language(DEFER CALL set_property
  SOURCE ${CMAKE_SOURCE_DIR}/libcaf_io/src/io/network/native_socket.cpp TARGET_DIRECTORY libcaf_io
  PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
END
  cmake -S "$work/src" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_CXX_STANDARD=20 -DCMAKE_CXX_FLAGS="$flags" -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCAF_ENABLE_EXAMPLES=OFF -DCAF_ENABLE_TESTING=OFF -DCAF_ENABLE_TOOLS=OFF \
    -DCAF_ENABLE_IO_MODULE=ON -DCAF_ENABLE_OPENSSL_MODULE=ON \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=10 \
    -DCMAKE_PROJECT_CAF_INCLUDE="$work/unity.cmake" >"$work/configure.log" \
    || { cat "$work/configure.log" >&2; exit 1; }
  compile "$work/build" || die "CAF did not build"
  cmake --install "$work/build" >/dev/null
  touch "$prefix/.complete"
fi
echo "$prefix"
