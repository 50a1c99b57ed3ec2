#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes the site: README, guide, manual pages and Javadoc as HTML that links to nothing outside.
# Fails if a link leads nowhere, or a page has no way back to the first one.
# Usage: site.sh [DIRECTORY]
#   DIRECTORY   where the site goes, default target/site; what is there is replaced
set -euo pipefail
source "$(dirname "$0")/lib/setup.sh"
hy_arguments 1 "$@"
site=$(realpath -m "${1:-target/site}")
work=$HY_ROOT/target/site-build
javadoc=${HY_JAR%.jar}-javadoc.jar
mpi_javadoc=$HY_ROOT/target/hayate-mpi-$HY_VERSION-javadoc.jar

need_site() {
    command -v mandoc >/dev/null && return
    hy_can_install || hy_die "missing: mandoc. Install with: sudo apt-get install -y mandoc"
    hy_install mandoc || hy_die "could not install mandoc"
}

# Only what such a run has made is removed.
make_room() {
    if [ -e "$site" ] && [ ! -e "$site/.hayate-site" ] && [ -n "$(ls -A "$site")" ]; then
        hy_die "$site is no site made by this script: name another directory"
    fi
    rm -rf "$site" "$work/man"
    mkdir -p "$site/api" "$site/mpi-api" "$work/man"
    touch "$site/.hayate-site"
}

# In code, mandoc drops empty lines and adds some before indented ones, unless a line begins with an
# escape.
write_manuals() {
    local page
    for page in man/*.[1-9]; do
        sed '/^\.\(nf\|EX\)/,/^\.\(fi\|EE\)/ { s/^$/\\ /; s/^ /\\\& / }' "$page" |
            mandoc -T html -O fragment >"$work/man/$(basename "$page").html"
    done
}

# Maven leaves a jar alone whose contents did not change; its age counts here.
build_javadoc() {
    if [ ! -e "$javadoc" ] || [ ! -e "$mpi_javadoc" ] ||
        [ -n "$(find pom.xml src/main/java src/mpi/java -newer "$javadoc" -print -quit)" ]; then
        hy_say "building, with Javadoc"
        hy_mvn package -DskipTests
        touch "$HY_JAR" "$javadoc"
    fi
}

hy_need
need_site
make_room
build_javadoc
(cd "$site/api" && "$JAVA_HOME/bin/jar" xf "$javadoc" && rm -rf META-INF)
(cd "$site/mpi-api" && "$JAVA_HOME/bin/jar" xf "$mpi_javadoc" && rm -rf META-INF)
write_manuals
cp src/site/style.css src/site/javadoc.css "$site"
hy_mvn -f src/site/pom.xml -Dsite.build="$work" process-classes
"$JAVA_HOME/bin/java" -cp "$work/classes:$work/lib/*" io.hayate.site.Site \
    "$HY_ROOT" "$site" "$work/man" "$HY_VERSION"
echo "$site/index.html"
