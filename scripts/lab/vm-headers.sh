# shellcheck shell=bash disable=SC2016,SC2034 # text for other shells, variables for callers
# SPDX-License-Identifier: Apache-2.0
# Headers of a newer kernel, for building modules only; sourced after vm-image.sh.
#   hy_vm_backport RELEASE   has them once, of the kernel in this Debian release's backports, and
#                            sets HY_VM_HEADERS. 77: they cannot be had, HY_WHY says why

hy_vm_backport() { # hy_vm_backport RELEASE
    local recipe release=$1
    recipe="$(declare -f hy_vm_backport_make) $release"
    hy_vm_source "$recipe" || return 77
    hy_vm_keep "the headers of $release's newest kernel" hy_vm_backport_make "$recipe"
    HY_VM_HEADERS=$(echo "$HY_VM_KEPT"/usr/src/linux-headers-*-amd64)
}

# Without what they depend on, a compiler for example. apt runs outside, with the settings of a root
# file system of "release".
hy_vm_backport_make() { # hy_vm_backport_make DIRECTORY
    local deb mirror=http://deb.debian.org/debian
    cat >"$1/fetch" <<'END'
set -e
cd "$(dirname "$0")"
export APT_CONFIG=$MMDEBSTRAP_APT_CONFIG
depends() { apt-cache depends "$@" | sed -n 's/^ *Depends: \(linux-[a-z]*-[0-9].*\)/\1/p'; }
packages=$(depends "linux-headers-amd64/$1-backports")
apt-get download -qq -o APT::Sandbox::User=root $packages \
    $(depends $packages | grep -E 'common|kbuild' | sort -u)
END
    mmdebstrap --quiet --variant=custom --customize-hook="sh '$1/fetch' $release" \
        "$release" /dev/null "deb $mirror $release main" \
        "deb $mirror $release-backports main" >&2
    for deb in "$1"/*.deb; do
        dpkg -x "$deb" "$1"
    done
    # The folder that it will be kept in has another name: as seen from the file itself.
    sed -i -e '1i here := $(abspath $(dir $(lastword $(MAKEFILE_LIST))))' \
        -e 's#^include /usr/src/#include $(here)/../#' \
        -e 's#^KBUILD_OUTPUT=/usr/src/.*#KBUILD_OUTPUT := $(here)#' \
        "$1"/usr/src/linux-headers-*-amd64/Makefile
    rm "$1"/*.deb "$1/fetch"
}
