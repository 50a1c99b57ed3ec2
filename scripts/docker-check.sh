#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the image of the Dockerfile and runs its demo. Uses the Docker engine that answers, or, as
# root, starts one of its own and stops it afterwards. Where debian:12 cannot be pulled it makes the
# base image itself (mmdebstrap). Usage: docker-check.sh [arguments of the demo]
set -euo pipefail
source "$(dirname "$0")/setup.sh"
work=$(mktemp -d)
image=hayate-check
engine=

cleanup() {
    docker image rm -f $image >/dev/null 2>&1 || true
    if [ -n "$engine" ]; then
        kill "$engine" 2>/dev/null || true
        wait "$engine" 2>/dev/null || true
    fi
    rm -rf "$work"
}
trap cleanup EXIT

need_package() { # need_package COMMAND PACKAGE
    command -v "$1" >/dev/null && return
    hy_can_install || hy_die "missing: $1. Install with: sudo apt-get install -y $2"
    hy_install "$2"
}

start_engine() {
    [ "$(id -u)" = 0 ] || hy_die "no Docker engine answers, and only root can start one"
    need_package dockerd docker.io
    export DOCKER_HOST=unix://$work/docker.sock
    dockerd --host "$DOCKER_HOST" --data-root "$work/data" --exec-root "$work/exec" \
        --pidfile "$work/pid" --bip 172.17.0.1/16 >"$work/log" 2>&1 &
    engine=$!
    local try
    for try in $(seq 100); do
        docker info >/dev/null 2>&1 && return
        kill -0 $engine 2>/dev/null || break
        sleep 0.2
    done
    tail -n 20 "$work/log" >&2
    hy_die "dockerd did not start"
}

# The name of an image of Debian 12.
base_image() {
    if docker image inspect debian:12 >/dev/null 2>&1 || docker pull -q debian:12 >/dev/null 2>&1
    then
        echo debian:12
        return
    fi
    need_package mmdebstrap mmdebstrap
    hy_say "debian:12 cannot be pulled: making a base image"
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

need_package docker docker.io
docker info >/dev/null 2>&1 || start_engine
base=$(base_image)
docker build --build-arg BASE="$base" -t $image .
docker run --rm $image "$@"
