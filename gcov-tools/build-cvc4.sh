#!/bin/sh
# Builds CVC4 1.8 from Debian's source package, instrumented for coverage: an example of a foreign solver.
#
#   gcov-tools/build-cvc4.sh DIR
#
# Everything goes into the folder DIR: sources, build, and the solver profile DIR/cvc4-gcov.toml for --profiles. Needs
# Debian, 1 GB of disk and half an hour of CPU time; JOBS=N compiles N files at once. Run it again to continue an
# interrupted build. Nothing of CVC4's sources is changed, and nothing of the machine's apt configuration.
set -eu

release=1.8
suite=bookworm
packages="dpkg-dev gcc-12 g++-12 make cmake antlr3 libantlr3c-dev libgmp-dev python3 python3-toml"

fail() {
    echo "build-cvc4.sh: $*" >&2
    exit 1
}

if [ $# -ne 1 ]; then
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
[ -e /etc/debian_version ] || fail "expected a Debian system: the source package and the compiler are Debian's"
tools=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$folder"

echo "== packages"
missing=
for package in $packages; do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
        "install ok installed") ;;
        *) missing="$missing $package" ;;
    esac
done
if [ -n "$missing" ]; then
    [ "$(id -u)" = 0 ] || fail "these packages are missing; as root: apt-get install --no-install-recommends$missing"
    # shellcheck disable=SC2086 # a list of names
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
fi

source=$folder/cvc4-$release
if [ ! -e "$source/CMakeLists.txt" ]; then
    # The default is where the machine's own packages of that suite come from.
    mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' \
        'Created-By: Packages' | awk -v suite="$suite" '$2 == suite && $3 == "main" { print $1; exit }')}
    [ -n "$mirror" ] || fail "apt knows no mirror of $suite; set DEBIAN_MIRROR to one"
    echo "== source package cvc4 $release of $suite, from $mirror"
    # apt gets a list of sources and a state of its own: few machines have deb-src lines, and this needs no root.
    # It still checks signatures, by Debian's keyring.
    rm -rf apt "$source"
    mkdir -p apt/lists/partial apt/cache/archives/partial
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb-src [signed-by=$keyring] $mirror $suite main" >apt/sources.list
    cat >apt/apt.conf <<CONFIGURATION
Dir::Etc::SourceList "$folder/apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "$folder/apt/lists";
Dir::Cache "$folder/apt/cache";
APT::Sandbox::User "$(id -un)";
CONFIGURATION
    APT_CONFIG=$folder/apt/apt.conf
    export APT_CONFIG
    apt-get -q update
    apt-get -q source --download-only cvc4 || fail "cannot get the source; is $mirror right? Set DEBIAN_MIRROR"
    description=$(ls cvc4_"$release"-*.dsc) || fail "$suite has another version of cvc4 than $release"
    unset APT_CONFIG
    rm -rf unpacked apt
    dpkg-source --no-check -x "$description" unpacked # apt has checked the hashes
    mv unpacked "$source"
fi

mkdir -p build
cd build

# configure ON|OFF: one static executable, with our runtime or with gcov's, without what a solver for strings does not
# need. Debian's python3 has the module toml; another python3 that stands before it in PATH may not. Debian's patches
# want the macros of a build date, which they set from outside, too. CVC4's check for antlr3FileStreamNew fails with the
# static library, which needs C++'s own, so the answer is given.
configure() {
    CC=gcc-12 CXX=g++-12 CXXFLAGS='-DDEB_BUILD_DATE=\"no-date\" -DDEB_BUILD_TIME=\"no-time\"' cmake \
        -DCMAKE_PROJECT_INCLUDE="$tools/instrument.cmake" -DMULSTRINGFUZZ_RUNTIME="$1" \
        -DENABLE_SHARED=OFF -DENABLE_PROOFS=OFF -DENABLE_UNIT_TESTING=OFF -DUSE_READLINE=OFF \
        -DHAVE_ANTLR3_FILE_STREAM_NEW=1 -DPYTHON_EXECUTABLE=/usr/bin/python3 "$source" >configuration.log 2>&1 ||
        fail "CMake failed, see $folder/build/configuration.log"
}

echo "== compilation, with gcov's own runtime (bin/cvc4-stock, for compare-with-gcov.sh)"
configure OFF
make -j"${JOBS:-$(nproc)}" cvc4-bin
mv bin/cvc4 bin/cvc4-stock

echo "== the same objects with runtime.c (bin/cvc4)"
configure ON
make -j"${JOBS:-$(nproc)}" cvc4-bin

cp "$tools/cvc4-gcov.toml" "$folder/cvc4-gcov.toml"
bin/cvc4 --version | head -n 1
echo "== done; mulstringfuzz fuzz --profiles $1/cvc4-gcov.toml --target cvc4@$release --instrumented cvc4-gcov ..."
