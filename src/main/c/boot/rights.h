/* SPDX-License-Identifier: Apache-2.0 */
/* One message with one descriptor over a unix socket that keeps messages apart. */
#ifndef HY_BOOT_RIGHTS_H
#define HY_BOOT_RIGHTS_H

#include <stddef.h>
#include <sys/types.h>

/* As sendmsg, which does not wait and raises no signal; `descriptor` stays the caller's. */
ssize_t hy_rights_send(int socket, const void *data, size_t bytes, int descriptor);

/* As recvmsg, which does not wait. *descriptor is the first one that came along, close-on-exec and
 * the caller's, or -1; what else a stranger may have sent is closed. */
ssize_t hy_rights_receive(int socket, void *data, size_t bytes, int *descriptor);

#endif
