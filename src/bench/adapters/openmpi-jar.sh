# SPDX-License-Identifier: Apache-2.0
# Open MPI's Java bindings, for adapters. Debian ships libmpi_java.so but not mpi.jar: its classes
# come from the source package of the very version that is installed, fetched through a private apt
# configuration (the system's own lists and sources stay as they are), and are kept in the cache.

KEYRING="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"

version() {
    dpkg-query -W -f '${source:Version}' libopenmpi-dev
}

library_folder() {
    dirname "$(dpkg -L libopenmpi-dev | grep '/libmpi_java\.so$' | head -n 1)"
}

jar_file() {
    echo "$BENCH_CACHE/openmpi-$(version)/mpi.jar"
}

# fetch_source FOLDER: the source archives, from the archive that the binary packages come from.
fetch_source() {
    local apt="$1/apt" options
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    apt-get indextargets 'Created-By: Packages' 'Origin: Debian' \
        --format "deb-src $KEYRING \$(REPO_URI) \$(CODENAME) \$(COMPONENT)" |
        sort -u >"$apt/sources.list"
    options=(-o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=)
    apt-get -q "${options[@]}" update &&
        cd "$1" && apt-get -q "${options[@]}" source --download-only "openmpi=$(version)"
}

build_jar() {
    local work jar
    jar="$(jar_file)"
    mkdir -p "$BENCH_CACHE" "$(dirname "$jar")"
    work="$(mktemp -d "$BENCH_CACHE/build.XXXXXX")"
    # shellcheck disable=SC2064
    trap "rm -rf '$work'" EXIT
    (fetch_source "$work") >&2 || skip "cannot fetch Debian's source package openmpi $(version)"
    mkdir "$work/source" "$work/classes"
    tar -xf "$work"/openmpi_*.orig.tar.* -C "$work/source" --strip-components=1
    javac -nowarn -encoding UTF-8 -d "$work/classes" "$work"/source/ompi/mpi/java/java/*.java
    jar --create --file "$work/mpi.jar" -C "$work/classes" .
    mv "$work/mpi.jar" "$jar"
}

# Skips what is not there, and builds mpi.jar unless the cache has it.
prepare_openmpi_java() {
    need_command javac openjdk-17-jdk-headless
    need_command mpirun.openmpi openmpi-bin
    need_command dpkg-query dpkg
    dpkg -L libopenmpi-dev 2>/dev/null | grep '/libmpi_java\.so$' >/dev/null ||
        skip "libmpi_java.so is not installed (Debian package libopenmpi-dev)"
    [ -s "$(jar_file)" ] || build_jar
}
