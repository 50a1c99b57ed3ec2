#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests what somebody does who has a JDK, Maven and the artefacts of Hayate (target/stage, or what
# "mvn install" puts into a local repository), but no checkout, no rights and no network:
# a new project, the jar of the command line, places that are awkward, and jars that are damaged or
# do not belong together. Everything but that installation runs in bubblewrap.
# The last line is "N passed, N failed, N skipped". Usage: getting.sh [PATTERN of names]
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_arguments 1 "$@"
pattern=${1:-}
hy_need
hy_want bubblewrap
passed=0 failed=0 skipped=0
work=$(mktemp -d /var/tmp/hayate-getting.XXXXXX)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
user=$work/user
jna=$(tr ':' '\n' <target/classpath.txt | grep '/jna-')

# What the machine has but for the checkout, /tmp, homes and other places of users, read-only.
root=()
for path in /*; do
    case $path in
    /tmp | /root | /home | /var | /proc | /dev | /sys | /work) ;;
    *) if [ -h "$path" ]; then
        root+=(--symlink "$(readlink "$path")" "$path")
    elif [ -d "$path" ]; then
        root+=(--ro-bind "$path" "$path")
    fi ;;
    esac
done

# A command that prepares what bubblewrap cannot, and then starts it.
before=()

# inside [bwrap's options] -- COMMAND: as nobody, without a network, in the folder /user/my project.
inside() {
    local options=()
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    timeout 120 "${before[@]}" bwrap --unshare-user --unshare-net --unshare-pid \
        --uid 65534 --gid 65534 --die-with-parent "${root[@]}" --proc /proc --dev /dev \
        --ro-bind "$JAVA_HOME" /jdk --ro-bind "$user" /user --ro-bind target/stage /stage \
        --clearenv "${options[@]}" --remount-ro / --setenv PATH /jdk/bin:/usr/bin:/bin \
        --setenv HOME /nowhere --setenv JAVA_HOME /jdk --setenv HAYATE_TUNING none \
        --setenv MAVEN_OPTS "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" \
        --chdir "/user/my project" "$@" 2>&1 </dev/null
}

# check NAME EXIT TEXT COMMAND..: its exit code, and every line of TEXT in its output.
check() {
    local name=$1 exit=$2 text=$3 out rc=0 line missing=
    shift 3
    [[ $name == *"$pattern"* ]] || return 0
    out=$("$@") || rc=$?
    while read -r line; do
        grep -qF -- "$line" <<<"$out" || missing+=" '$line'"
    done <<<"$text"
    if ((rc == exit)) && [ -z "$missing" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name: exit code $rc, expected $exit; missing:$missing; it said:"
        tail -n 20 <<<"$out" | sed 's/^/    /'
    fi
}

# The project, as the guide shows it (docs/guide/starting.md).
make_project() {
    mkdir -p "$user/my project/src/main/java" "$user/bad" "$user/run" "$user/noexec"
    cat >"$user/my project/pom.xml" <<END
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId> <artifactId>ring</artifactId> <version>1</version>
  <properties> <maven.compiler.source>17</maven.compiler.source>
               <maven.compiler.target>17</maven.compiler.target> </properties>
  <dependencies>
    <dependency>
      <groupId>io.hayate</groupId> <artifactId>hayate</artifactId> <version>$HY_VERSION</version>
    </dependency>
  </dependencies>
</project>
END
    # The same project with the BOM, which knows the version.
    cat >"$user/my project/bom.xml" <<END
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId> <artifactId>ring</artifactId> <version>1</version>
  <properties> <maven.compiler.source>17</maven.compiler.source>
               <maven.compiler.target>17</maven.compiler.target> </properties>
  <dependencyManagement> <dependencies>
    <dependency>
      <groupId>io.hayate</groupId> <artifactId>hayate-bom</artifactId>
      <version>$HY_VERSION</version> <type>pom</type> <scope>import</scope>
    </dependency>
  </dependencies> </dependencyManagement>
  <dependencies>
    <dependency> <groupId>io.hayate</groupId> <artifactId>hayate</artifactId> </dependency>
  </dependencies>
</project>
END
    cat >"$user/my project/src/main/java/Ring.java" <<END
import io.hayate.*;
public class Ring {
    public static void main(String[] args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            HeapSpan x = job.allocate(8);
            x.putDouble(0, job.rank());
            fmpl.allreduce(x, Reduction.DOUBLE_SUM);
            System.out.println("rank " + job.rank() + " of " + job.size() + ": " + x.getDouble(0));
        }
    }
}
END
    cat >"$user/settings.xml" <<END
<settings>
  <mirrors><mirror>
    <id>mirror</id> <mirrorOf>central</mirrorOf> <url>file:///mirror</url>
  </mirror></mirrors>
  <profiles><profile><id>stage</id><repositories><repository>
    <id>stage</id> <url>file:///stage</url>
  </repository></repositories></profile></profiles>
  <activeProfiles><activeProfile>stage</activeProfile></activeProfiles>
</settings>
END
    sed '/<profiles>/,/<activeProfiles>/d' "$user/settings.xml" >"$user/mirror.xml"
}

# The local repository of whoever runs this is Maven Central inside. The plugins of such a project
# get into it, and what was installed there is hidden.
make_mirror() {
    mkdir -p "$work/plugins/src/main/java"
    echo "class Empty {}" >"$work/plugins/src/main/java/Empty.java"
    sed '/<dependencies>/,/<\/dependencies>/d' "$user/my project/pom.xml" >"$work/plugins/pom.xml"
    hy_mvn -f "$work/plugins" compile $maven_exec -Dexec.executable=true \
        org.apache.maven.plugins:maven-help-plugin:3.5.1:evaluate \
        -Dexpression=settings.localRepository -Doutput="$work/repository" >&2
    repository=$(<"$work/repository")
    root+=(--ro-bind "$repository" /mirror)
    [ ! -e "$repository/io/hayate" ] || root+=(--tmpfs /mirror/io/hayate)
}

# As the README says. What it installs goes to $work/installed, which covers that place of the local
# repository; so the paths of all else stay, and nothing is compiled again.
mvn_install() {
    mkdir -p "$repository/io/hayate" "$work/installed"
    bwrap --dev-bind / / --bind "$work/installed" "$repository/io/hayate" \
        mvn -B -ntp -q install -DskipTests -Dhayate.checks.skip=true 2>&1
}

ranks() { # ranks N: what they print
    local rank
    for ((rank = 0; rank < $1; rank++)); do echo "rank $rank of $1: $(($1 * ($1 - 1) / 2)).0"; done
}

maven_exec=org.codehaus.mojo:exec-maven-plugin:3.5.0:exec
java=(java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC)
cli=(/jdk/bin/java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar /user/cli.jar)
ring=(run -n 4 -- "${java[@]}" -cp "/user/cli.jar:/user/my project/classes" Ring)
alone=("${java[@]}" -cp)
run_ring=(compile "$maven_exec" -Dexec.executable=java
    "-Dexec.args=-cp %classpath io.hayate.cli.Start run -n 4 -- java -cp %classpath Ring")

test_project() {
    local writable=(--bind "$user/my project" "/user/my project" --tmpfs /tmp)
    check "a project of ten lines runs 4 ranks in one command" 0 "$(ranks 4)" \
        inside "${writable[@]}" -- mvn -q -B -s /user/settings.xml -Dmaven.repo.local=/tmp/m2 \
        "${run_ring[@]}"
    check "mvn install" 0 "" mvn_install
    mkdir -p "$work/installed" # also if a pattern leaves out the check before
    check "a project imports the installed BOM and runs 4 ranks" 0 "$(ranks 4)" \
        inside "${writable[@]}" --bind "$work/installed" "/tmp/my m2/io/hayate" -- mvn -q -B \
        -f "/user/my project/bom.xml" -s /user/mirror.xml "-Dmaven.repo.local=/tmp/my m2" \
        "${run_ring[@]}"
}

# block LANGUAGE PAGE: the first one of a page of the guide
block() {
    sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "docs/guide/$2" | sed '/^```$/q' | grep -v '^```'
}

# The pom and the program of docs/guide/mpi.md.
test_mpi() {
    local project="$user/my mpi"
    mkdir -p "$project/src/main/java"
    block xml mpi.md >"$project/pom.xml"
    block java mpi.md >"$project/src/main/java/Sum.java"
    check "the project of the guide runs MPI on 4 ranks" 0 "6 of 4 ranks" \
        inside --bind "$project" "/user/my mpi" --tmpfs /tmp -- mvn -q -B \
        -f "/user/my mpi/pom.xml" -s /user/settings.xml -Dmaven.repo.local=/tmp/m2 \
        "${run_ring[@]/Ring/Sum}"
    check "the jar of the command line adds MPI to a program" 0 "6 of 4 ranks" inside \
        --tmpfs /tmp -- "${cli[@]}" run -n 4 --mpi -- "${java[@]}" \
        -cp "/user/my mpi/target/classes" Sum
}

# The pom and the test of docs/guide/testing.md.
test_testing() {
    local project="$user/my test"
    mkdir -p "$project/src/test/java"
    block xml testing.md >"$project/pom.xml"
    block java testing.md >"$project/src/test/java/SumTest.java"
    check "the project of the guide runs its test" 0 "Tests run: 1, Failures: 0, Errors: 0" \
        inside --bind "$project" "/user/my test" --tmpfs /tmp -- mvn -B -f "/user/my test/pom.xml" \
        -s /user/settings.xml -Dmaven.repo.local=/tmp/m2 test
}

test_places() {
    local none=(--ro-bind "$user/bad" /dev/shm) one=(--bind "$user/run" /user/run)
    check "the jar of the command line runs 4 ranks" 0 "$(ranks 4)" \
        inside --tmpfs /tmp -- "${cli[@]}" "${ring[@]}"
    check "nothing but /dev/shm can be written, there is no /tmp" 0 "$(ranks 4)" \
        inside -- "${cli[@]}" "${ring[@]}"
    check "nothing can be written" 1 "hayate run: hayate-run cannot be unpacked in any of
-Djava.io.tmpdir" inside "${none[@]}" -- "${cli[@]}" "${ring[@]}"
    check "a rank without a place says so" 1 "NativeLoadException: libhayate.so could not be loaded
-Dhayate.library.path" inside "${none[@]}" -- "${alone[@]}" "/user/cli.jar:classes" Ring
    check "a setting names the only place" 0 "$(ranks 4)" \
        inside "${none[@]}" "${one[@]}" --setenv XDG_RUNTIME_DIR /user/run -- \
        "${cli[@]}" "${ring[@]}"
    check "commands need the other jar" 1 "-cli.jar" \
        inside -- "${java[@]}" -jar /user/hayate.jar info
    check "the jar for programs can start ranks" 0 "$(ranks 2)" inside -- "${java[@]}" \
        -jar /user/hayate.jar run -n 2 -- "${java[@]}" -cp /user/cli.jar:classes Ring
    check "all commands are in the other jar" 0 "hayate $HY_VERSION" inside -- "${cli[@]}" --version
    check "the command line explains collectives" 0 "allreduce" \
        inside -- "${cli[@]}" explain allreduce -n 4 --bytes 64
}

# The native files, unpacked as docs/guide/reference.md says.
make_natives() {
    mkdir "$user/natives"
    (cd "$user/natives" && "$JAVA_HOME/bin/jar" xf "$user/hayate.jar" \
        "META-INF/native/linux-$(uname -m)" &&
        "$JAVA_HOME/bin/jar" xf "$jna" com/sun/jna/linux-"$(uname -m | tr _ -)" &&
        mv META-INF/native/*/* com/sun/jna/*/* . && rm -r META-INF com && chmod +x hayate-*)
}

test_noexec() {
    local mounted=(--ro-bind "$user/bad" /dev/shm --bind "$user/noexec" /tmp)
    # shellcheck disable=SC2016 # for the shell that it starts
    before=(unshare --user --map-root-user --mount sh -c
        'mount -t tmpfs -o noexec,mode=1777 tmpfs "$0" && exec "$@"' "$user/noexec")
    check "temporary files cannot be executed" 1 "NativeLoadException: libhayate.so could not be \
loaded
/tmp: mounted noexec
-Dhayate.library.path" inside "${mounted[@]}" -- "${alone[@]}" /user/cli.jar:classes Ring
    check "the launcher cannot be executed" 1 "hayate run: hayate-run cannot be unpacked in any of
/tmp: mounted noexec
-Djava.io.tmpdir" inside "${mounted[@]}" -- "${cli[@]}" "${ring[@]}"
    check "a setting names unpacked files" 0 "$(ranks 4)" \
        inside "${mounted[@]}" --setenv HAYATE_RUN /user/natives/hayate-run -- "${cli[@]}" \
        run -n 4 -- "${java[@]}" -Dhayate.library.path=/user/natives -cp /user/cli.jar:classes Ring
    before=()
}

# as_version FILE VERSION: a jar that says that it has another version.
as_version() {
    mkdir -p "$work/old/META-INF/maven/io.hayate/hayate"
    echo "version=$2" >"$work/old/META-INF/maven/io.hayate/hayate/pom.properties"
    "$JAVA_HOME/bin/jar" --create --file "$1" -C "$work/old" META-INF
}

# Bytes in the middle of its entry libhayate.so get lost.
damage() {
    local at name
    cp "$user/hayate.jar" "$1"
    name="META-INF/native/linux-$(uname -m)/libhayate\.so"
    at=$(grep -abo "$name" "$1" | head -n 1 | cut -d : -f 1)
    dd if=/dev/zero of="$1" bs=1 seek=$((at + 4000)) count=20000 conv=notrunc status=none
}

make_bad() {
    local bad=$user/bad native
    native=META-INF/native/linux-$(uname -m)/libhayate.so
    head -c 300000 "$user/cli.jar" >"$bad/half.jar"
    head -c 300000 "$jna" >"$bad/half-jna.jar"
    damage "$bad/damaged.jar"
    as_version "$bad/old.jar" 0.1.0
    mkdir -p "$bad/other" "$bad/newer"
    LC_ALL=C sed "s/\x00$HY_VERSION\x00/\x000.1.0\x00/g" target/libhayate.so \
        >"$bad/other/libhayate.so"
    LC_ALL=C sed 's/GLIBC_2\.[3-9][0-9]/GLIBC_9.99/g' target/libhayate.so \
        >"$bad/newer/libhayate.so"
    mkdir -p "$work/jar/${native%/*}"
    cp "$bad/newer/libhayate.so" "$work/jar/$native"
    cp "$user/hayate.jar" "$bad/newer.jar"
    "$JAVA_HOME/bin/jar" --update --file "$bad/newer.jar" -C "$work/jar" "$native"
    echo "no library" >"$bad/text.so"
}

test_bad() {
    check "half a jar is started" 1 "Invalid or corrupt jarfile" \
        inside -- java -jar /user/bad/half.jar info
    check "half of JNA" 1 "/user/bad/half-jna.jar: only a part has been downloaded" \
        inside -- "${alone[@]}" /user/hayate.jar:/user/bad/half-jna.jar:classes Ring
    check "a hole in the jar" 1 "libhayate.so is damaged in its jar" \
        inside -- "${alone[@]}" /user/bad/damaged.jar:/user/jna.jar:classes Ring
    check "two versions" 1 "2 versions of Hayate are on the class path (0.1.0 in /user/bad/old.jar
, $HY_VERSION in /user/hayate.jar); keep one of them" \
        inside -- "${alone[@]}" /user/hayate.jar:/user/bad/old.jar:/user/jna.jar:classes Ring
    check "one version twice" 0 "rank 0 of 1" \
        inside -- "${alone[@]}" /user/hayate.jar:/user/cli.jar:classes Ring
    check "a library of another version" 1 "the classes of Hayate have version $HY_VERSION, and \
libhayate.so of -Dhayate.library.path=/user/bad/other has version 0.1.0" inside -- "${java[@]}" \
        -Dhayate.library.path=/user/bad/other -cp /user/cli.jar:classes Ring
    check "a library for a newer glibc is named" 1 "needs glibc 9.99 or newer" inside -- \
        "${java[@]}" -Dhayate.library.path=/user/bad/newer -cp /user/cli.jar:classes Ring
    check "a library for a newer glibc is in the jar" 1 "libhayate.so needs glibc 9.99 or newer" \
        inside -- "${alone[@]}" /user/bad/newer.jar:/user/jna.jar:classes Ring
    check "no library is named" 1 "-Dhayate.library.path=/user/bad/text.so: " inside -- \
        "${java[@]}" -Dhayate.library.path=/user/bad/text.so -cp /user/cli.jar:classes Ring
}

# Libraries of a jar that have debug information, which is most of their size.
debuggable() { # debuggable JAR
    local jar=$PWD/$1 into=$work/native
    mkdir -p "$into"
    (cd "$into" && "$JAVA_HOME/bin/jar" --extract --file "$jar" META-INF/native) || return 2
    [ -d "$into/META-INF/native" ] || return 2
    find "$into" -type f -exec cat {} + | grep -ac '\.debug_info'
}

# What Maven Central wants of each artefact; signatures come from the profile "sign".
test_complete() {
    local file home id=io/hayate/hayate/$HY_VERSION/hayate-$HY_VERSION missing=()
    local bom=io/hayate/hayate-bom/$HY_VERSION/hayate-bom-$HY_VERSION.pom
    local mpi=io/hayate/hayate-mpi/$HY_VERSION/hayate-mpi-$HY_VERSION
    local spark=io/hayate/hayate-spark/$HY_VERSION/hayate-spark-$HY_VERSION
    for file in $id{.jar,.pom,-sources.jar,-javadoc.jar,-cli.jar,-cyclonedx.json} "$bom" \
        $mpi{.jar,.pom,-sources.jar,-javadoc.jar,-mpijava.jar} \
        $spark{.jar,.pom,-sources.jar,-javadoc.jar}; do
        [ -e "target/stage/$file" ] && [ -e "target/stage/$file.sha1" ] || missing+=("$file")
    done
    check "all artefacts are staged" 0 "missing: none" \
        echo "missing: ${missing[*]:-none}"
    home=$(sed -n 's/ *<hayate.home>\(.*\)<.*/\1/p' pom.xml)
    check "the libraries have no debug information" 1 "0" debuggable "target/stage/$id.jar"
    check "the SBOM has the address of pom.xml" 0 "\"url\" : \"$home\"" \
        cat "target/stage/$id-cyclonedx.json"
    check "the BOM has the address of pom.xml" 0 "<url>$home</url>
<connection>scm:git:$home/hayate.git</connection>" cat "target/stage/$bom"
    for file in hayate hayate-bom hayate-mpi hayate-spark; do
        file=target/stage/io/hayate/$file/$HY_VERSION/$file-$HY_VERSION.pom
        check "$file is complete" 0 "<name>
<description>
<url>
<license>
<developer>
<scm>" cat "$file"
    done
}

# The jar may be newer, although it was made of the same sources: its age is set by other scripts.
is_staged() {
    [ -e "target/stage/io/hayate/hayate/$HY_VERSION/hayate-$HY_VERSION-cli.jar" ] &&
        [ -z "$(find pom.xml src/build src/main src/mpi src/spark/java src/examples \
            -newer target/stage/io/hayate/hayate/maven-metadata.xml -print -quit)" ]
}

if ! is_staged; then
    hy_mvn package -DskipTests "${HY_STAGE[@]}" >&2
fi
test_complete
if ! command -v bwrap >/dev/null || ! bwrap --unshare-user --unshare-net --ro-bind / / true; then
    echo "SKIPPED new projects: bubblewrap is missing, or may not create user namespaces"
    skipped=$(($(grep -c '^    check "' "$0") - 3)) # not those before
else
    stage=target/stage/io/hayate/hayate/$HY_VERSION/hayate-$HY_VERSION
    make_project
    cp "$stage.jar" "$user/hayate.jar"
    cp "$stage-cli.jar" "$user/cli.jar"
    cp "$jna" "$user/jna.jar"
    mkdir "$user/my project/classes"
    "$JAVA_HOME/bin/javac" -cp "$user/cli.jar" -d "$user/my project/classes" \
        "$user/my project/src/main/java/Ring.java"
    make_mirror
    make_natives
    make_bad
    chmod -R a+rX "$user"
    test_project
    test_testing
    test_mpi
    test_places
    test_noexec
    test_bad
fi
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
