/* SPDX-License-Identifier: Apache-2.0 */
/* One message with one descriptor over a unix socket that preserves message boundaries. */
#ifndef HY_BOOT_RIGHTS_H
#define HY_BOOT_RIGHTS_H

#include <stddef.h>
#include <sys/types.h>

/* Like sendmsg(), without blocking and without SIGPIPE; `descriptor` stays with the caller. */
ssize_t hy_rights_send(int socket, const void *data, size_t bytes, int descriptor);

/* Like recvmsg(), without blocking. *descriptor becomes the first descriptor of the message,
 * close-on-exec and owned by the caller, or -1; further ones from an untrusted sender are
 * closed. */
ssize_t hy_rights_receive(int socket, void *data, size_t bytes, int *descriptor);

#endif
