#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Signs the artefacts as a release is signed (CONTRIBUTING.md), but with a key that lives as long as
# this script, in a home of GnuPG that is removed; then lets gpg verify what would be uploaded.
# The last line is "N passed, N failed, N skipped". Usage: signed.sh
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_arguments 0 "$@"
hy_need
hy_want gnupg
if ! command -v gpg >/dev/null; then
    echo "SKIPPED signatures: gpg is missing"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
passed=0 failed=0
# The path of the agent's socket must be short.
GNUPGHOME=$(mktemp -d /tmp/hayate-sign.XXXXXX)
export GNUPGHOME
stage=$GNUPGHOME/stage

cleanup() {
    gpgconf --kill all || true
    rm -rf "$GNUPGHOME"
    find target -name '*.asc' -delete
}

# check NAME COMMAND..
check() {
    local name=$1 out
    shift
    if out=$("$@" 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name:"
        tail -n 20 <<<"$out" | sed 's/^/    /'
    fi
}

make_key() {
    gpg --batch --quiet --passphrase '' --quick-generate-key "Nobody <nobody@example.org>" \
        ed25519 sign 1d
}

# As CONTRIBUTING.md says, into a folder instead of a server.
sign() {
    local to="-DaltDeploymentRepository=stage::file://$stage" plugin=org.apache.maven.plugins:maven
    hy_mvn -Psign verify deploy:deploy -DskipTests -Dhayate.checks.skip=true "$to" &&
        hy_mvn -f target/bom/pom.xml $plugin-gpg-plugin:3.2.7:sign \
            $plugin-deploy-plugin:3.1.4:deploy "$to" &&
        sign_artefact hayate-mpi "-Dfiles=target/hayate-mpi-$HY_VERSION-mpijava.jar" \
            -Dclassifiers=mpijava -Dtypes=jar &&
        sign_artefact hayate-spark
}

# sign_artefact NAME OPTION..: one that is a project of its own.
sign_artefact() {
    local jar=target/$1-$HY_VERSION
    hy_mvn org.apache.maven.plugins:maven-gpg-plugin:3.2.7:sign-and-deploy-file \
        -DrepositoryId=stage "-Durl=file://$stage" "-DpomFile=target/$1/pom.xml" \
        "-Dfile=$jar.jar" "-Dsources=$jar-sources.jar" "-Djavadoc=$jar-javadoc.jar" "${@:2}"
}

# Every file but checksums and the repository's index has a signature.
test_files() {
    local file
    while read -r file; do
        check "the signature of ${file##*/}" gpg --verify "$file.asc" "$file"
    done < <(find "$stage" -type f ! -name 'maven-metadata.xml*' ! -name '*.asc*' \
        ! -name '*.md5' ! -name '*.sha1' | sort)
}

# What Maven Central wants must be among them.
test_complete() {
    local name=io/hayate/hayate/$HY_VERSION/hayate-$HY_VERSION file
    local mpi=io/hayate/hayate-mpi/$HY_VERSION/hayate-mpi-$HY_VERSION
    local spark=io/hayate/hayate-spark/$HY_VERSION/hayate-spark-$HY_VERSION
    for file in "$name"{.jar,.pom,-sources.jar,-javadoc.jar,-cli.jar,-cyclonedx.json} \
        "$mpi"{.jar,.pom,-sources.jar,-javadoc.jar,-mpijava.jar} \
        "$spark"{.jar,.pom,-sources.jar,-javadoc.jar} \
        "io/hayate/hayate-bom/$HY_VERSION/hayate-bom-$HY_VERSION.pom"; do
        check "${file##*/} is signed" test -s "$stage/$file.asc"
    done
}

# Otherwise the checks above would say nothing.
refuses() {
    local file=$stage/io/hayate/hayate/$HY_VERSION/hayate-$HY_VERSION.pom
    ! gpg --verify "$file.asc" <(sed 's/Apache/apache/' "$file")
}

trap cleanup EXIT
check "a key for this run" make_key
check "mvn -Psign verify" sign
test_complete
test_files
check "a changed file is refused" refuses
echo "$passed passed, $failed failed, 0 skipped"
((failed == 0))
