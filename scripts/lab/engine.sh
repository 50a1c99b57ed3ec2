# SPDX-License-Identifier: Apache-2.0
# The Docker engine of the tests in containers; sourced after setup.sh.
#   hy_engine [network]
#                    one that answers, or as root one of its own (installed by apt when missing),
#                    which gives containers a network only when told to.
#                    0: ready, DOCKER_HOST is set; 1: it should work here and does not;
#                    2: it cannot be expected here. HY_WHY says why.
#   hy_engine_image  the image that tests start from, made when there is none: HY_IMAGE; 1: HY_WHY
#   hy_engine_prepare  downloads what both need, ahead of them; they try again what fails
#   hy_engine_stop   removes what tests left, stops the engine that hy_engine started
# Nothing is pulled where root can make a Debian by itself (mmdebstrap); that is kept for the next
# time in HY_CACHE.
HY_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/hayate
HY_LABEL=io.hayate.test.$$ # of containers and images of this run
HY_WHY= HY_IMAGE= HY_ENGINE= HY_ENGINE_PID=

# Sets DOCKER_HOST: clients other than docker do not know its contexts.
hy_engine_answers() {
    local host=${DOCKER_HOST:-}
    command -v docker >/dev/null || return 1
    [ -n "$host" ] ||
        host=$(docker context inspect --format '{{.Endpoints.docker.Host}}' 2>/dev/null) ||
        host=unix:///var/run/docker.sock
    DOCKER_HOST=$host docker version --format '{{.Server.Version}}' >/dev/null 2>&1 || return 1
    export DOCKER_HOST=$host
}

# What is missing for a Docker engine to be expected here; nothing when nothing is.
hy_engine_obstacle() {
    local effective
    effective=$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)
    if [ "$(id -u)" != 0 ]; then
        echo "no Docker engine answers, and only root can start one"
    elif (((16#$effective >> 21 & 1) == 0)); then
        echo "no Docker engine answers, and without CAP_SYS_ADMIN none can be started"
    elif ! command -v dockerd >/dev/null && ! hy_can_install; then
        echo "no Docker engine answers, none is installed, and there is no apt"
    elif hy_engine_in_chroot; then
        echo "no Docker engine answers, and in a chroot none can be started"
    fi
}

# Images cannot be unpacked there, or containers see the root of the whole system.
hy_engine_in_chroot() {
    local root
    if root=$(stat -c %d:%i /proc/1/root/ 2>/dev/null); then
        [ "$root" != "$(stat -c %d:%i /)" ]
    else
        ! mountpoint -q /
    fi
}

hy_engine() {
    local package
    hy_engine_answers && return
    HY_WHY=$(hy_engine_obstacle)
    [ -z "$HY_WHY" ] || return 2
    for package in dockerd:docker.io docker:docker.io; do
        command -v "${package%:*}" >/dev/null || hy_install "${package#*:}" || {
            HY_WHY="no Docker engine answers, and ${package#*:} cannot be installed"
            return 2
        }
    done
    hy_engine_answers || hy_engine_start "$@"
}

# It ends with this shell, however that ends. Without a network it has a namespace of its own: an
# engine that is told to have no bridge removes the bridge of others.
hy_engine_start() { # hy_engine_start [network]
    local try inside=(unshare --net) options=(--bridge none --iptables=false)
    if [ "${1:-}" = network ]; then
        inside=() options=(--bip 172.17.0.1/16)
    fi
    hy_engine_kernel
    HY_ENGINE=$(mktemp -d /tmp/hayate-engine.XXXXXX)
    setpriv --pdeathsig TERM "${inside[@]}" dockerd --host "unix://$HY_ENGINE/socket" \
        --data-root "$HY_ENGINE/data" --exec-root "$HY_ENGINE/exec" --pidfile "$HY_ENGINE/pid" \
        "${options[@]}" >"$HY_ENGINE/log" 2>&1 &
    HY_ENGINE_PID=$!
    export DOCKER_HOST=unix://$HY_ENGINE/socket
    for try in $(seq 600); do
        docker version >/dev/null 2>&1 && return
        kill -0 $HY_ENGINE_PID 2>/dev/null || break
        sleep 0.2
    done
    HY_WHY="dockerd did not start: $(grep -E 'level=(error|fatal)|^failed' "$HY_ENGINE/log" |
        tail -n 1)"
    hy_engine_stop
    return 1
}

# Control groups, where no init has mounted them, and the tool that the kernel's AppArmor wants.
hy_engine_kernel() {
    if [ "$(cat /sys/module/apparmor/parameters/enabled 2>/dev/null)" = Y ]; then
        hy_want apparmor
    fi
    grep -q ' cgroup2\? ' /proc/self/mounts && return
    command -v cgroupfs-mount >/dev/null || hy_install cgroupfs-mount && cgroupfs-mount || true
}

hy_engine_stop() {
    if [ -n "$HY_IMAGE" ]; then
        docker ps -aq --filter "label=$HY_LABEL" | xargs -r docker rm -f >/dev/null || true
        docker network ls -q --filter "label=$HY_LABEL" | xargs -r docker network rm >/dev/null ||
            true
        hy_engine_remove_images
        HY_IMAGE=
    fi
    [ -n "$HY_ENGINE" ] || return 0
    if kill "$HY_ENGINE_PID" 2>/dev/null; then
        wait "$HY_ENGINE_PID" 2>/dev/null || true
    fi
    # The engine forgets the network namespaces that it gave a name, and in a chroot its own folder.
    umount "$HY_ENGINE"/exec/netns/* "$HY_ENGINE/data" 2>/dev/null || true
    rm -rf --one-file-system "$HY_ENGINE" || true
    HY_ENGINE= HY_ENGINE_PID=
    unset DOCKER_HOST
}

# An image with a name stays while there are images that were made from it: those go first, and then
# it is tried again, as long as any goes.
hy_engine_remove_images() {
    local left before='' said=
    while left=$(docker images -q --no-trunc --filter "label=$HY_LABEL" | sort -u) &&
        [ -n "$left" ] && [ "$left" != "$before" ]; do
        before=$left
        said=$(xargs docker rmi -f <<<"$left" 2>&1) || true
    done
    [ -z "$left" ] || hy_say "images of the tests are left: $said"
}

# What the Dockerfiles of the product and of the tests' nodes install, so that they need not.
HY_IMAGE_PACKAGES=$(sed -n 's/^ARG PACKAGES="\(.*\)"$/\1/p' Dockerfile \
    src/main/resources/io/hayate/testcontainers/Dockerfile |
    tr -s ' \n' ',' | sed 's/,$//')

hy_engine_prepare() {
    hy_engine_answers && return
    [ -z "$(hy_engine_obstacle)" ] || return 0
    { command -v dockerd && command -v docker; } >/dev/null || hy_install docker.io || true
    hy_image_bootstrap "$(hy_image_tar "$(hy_image_name)")" || true
}

hy_image_name() {
    echo "hayate-test-base:$(cksum <<<"$HY_IMAGE_PACKAGES$(declare -f hy_image_bootstrap)" |
        cut -d ' ' -f 1)"
}

hy_image_tar() { # hy_image_tar NAME
    echo "$HY_CACHE/${1/:/-}.tar"
}

hy_engine_image() {
    local name tar
    name=$(hy_image_name)
    tar=$(hy_image_tar "$name")
    if ! docker image inspect "$name" >/dev/null 2>&1 && ! hy_image_import "$name" "$tar"; then
        rm -f "$tar"
        hy_image_make "$name" "$tar" || return 1
    fi
    HY_IMAGE=$name
}

hy_image_import() { # hy_image_import NAME TAR
    [ -r "$2" ] && docker import "$2" "$1" >/dev/null
}

# Whoever is not root has an engine of somebody else's, which can pull.
hy_image_make() { # hy_image_make NAME TAR
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        hy_image_bootstrap "$2" && hy_image_import "$1" "$2" && return
        HY_WHY="the image of the tests cannot be made: see above"
    else
        docker build -q -t "$1" - >/dev/null <<<"FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends ${HY_IMAGE_PACKAGES//,/ }" &&
            return
        HY_WHY="the image of the tests cannot be built from debian:12: see above"
    fi
    return 1
}

hy_image_bootstrap() { # hy_image_bootstrap TAR
    local part path excludes=()
    command -v mmdebstrap >/dev/null || hy_install mmdebstrap || return
    for path in doc locale man; do
        excludes+=("--dpkgopt=path-exclude=/usr/share/$path/*")
    done
    mkdir -p "$HY_CACHE"
    exec 8>"$HY_CACHE/.lock"
    flock 8
    [ ! -r "$1" ] || { exec 8>&-; return 0; } # another run was faster
    rm -f "$HY_CACHE"/hayate-test-base-*.tar "$HY_CACHE"/hayate-test-base-*.part
    part=${1%.tar}.part
    hy_say "making an image of Debian 12 with a JRE: $1"
    # The JRE's installation wants the directory of manual pages that minbase leaves out.
    mmdebstrap --quiet --variant=minbase --include=$HY_IMAGE_PACKAGES "${excludes[@]}" \
        --essential-hook='mkdir -p "$1"/usr/share/man/man1' \
        --customize-hook='rm -rf "$1"/var/lib/apt/lists "$1"/var/cache/apt' \
        --customize-hook='rm -f "$1"/etc/ssh/ssh_host_*' \
        bookworm - >"$part" && mv "$part" "$1"
    local rc=$?
    exec 8>&-
    return $rc
}
