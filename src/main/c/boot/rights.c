/* SPDX-License-Identifier: Apache-2.0 */
/* sendmsg() and recvmsg() with SCM_RIGHTS. */
#include "boot/rights.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

ssize_t hy_rights_send(int socket, const void *data, size_t bytes, int descriptor)
{
    _Alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec vector = {(void *)(size_t)data, bytes};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(rights), &descriptor, sizeof(int));
    return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static int take_first(struct msghdr *message)
{
    int kept = -1;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (kept < 0) kept = fd;
            else close(fd);
        }
    }
    return kept;
}

ssize_t hy_rights_receive(int socket, void *data, size_t bytes, int *descriptor)
{
    _Alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int)) + 64];
    struct iovec vector = {data, bytes};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    ssize_t length = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    *descriptor = length < 0 ? -1 : take_first(&message);
    return length;
}
