#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the image of the Dockerfile and runs its demo. Uses the Docker engine that answers, or, as
# root, starts one of its own and stops it afterwards. Where debian:12 cannot be pulled it makes the
# base image itself (mmdebstrap). Usage: docker-check.sh [arguments of the demo]
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_help "$@"
source scripts/lab/engine.sh
image=hayate-check
work=

cleanup() {
    docker images -q --filter "label=$HY_LABEL" | sort -u | xargs -r docker rmi -f >/dev/null ||
        true
    hy_engine_stop
    [ -z "$work" ] || rm -rf "$work"
}

# The name of an image of Debian 12.
base_image() {
    if docker image inspect debian:12 >/dev/null 2>&1 || docker pull -q debian:12 >/dev/null 2>&1
    then
        echo debian:12
        return
    fi
    command -v mmdebstrap >/dev/null || hy_install mmdebstrap >&2 ||
        hy_die "debian:12 cannot be pulled, and mmdebstrap is not installed to create it"
    hy_say "debian:12 cannot be pulled: creating a base image"
    # Behind a proxy with a certificate of its own the image has to trust what this machine trusts.
    local trust=() own=/usr/local/share/ca-certificates
    if compgen -G "$own/*.crt" >/dev/null; then
        trust=(--customize-hook="copy-in $own /usr/local/share"
            --customize-hook='chroot "$1" update-ca-certificates >/dev/null')
    fi
    mmdebstrap --quiet --variant=minbase --include=ca-certificates \
        --essential-hook='mkdir -p "$1"/usr/share/man/man1' "${trust[@]}" \
        bookworm "$work/base.tar" >&2
    docker import "$work/base.tar" hayate-check-base >/dev/null
    echo hayate-check-base
}

trap cleanup EXIT
hy_engine network || hy_die "$HY_WHY"
work=$(mktemp -d)
base=$(base_image)
docker build --build-arg BASE="$base" --build-arg LABEL="$HY_LABEL" -t $image .
docker run --rm --network none $image demo "$@"
docker run --rm --network none $image hayate info
