/* SPDX-License-Identifier: Apache-2.0 */
/* Where the ranks of a node meet without `hayate run`: the name of an abstract unix socket of
 * the node's first rank, and a token. Both are random and go through the cluster's launcher. The
 * name is not secret (/proc/net/unix shows it); a process proves by the token that it is a rank
 * of the job. */
#ifndef HY_BOOT_NODE_ADDRESS_H
#define HY_BOOT_NODE_ADDRESS_H

#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

/* The size of "<abi>.<name>.<token>", with name and token as 32 hexadecimal digits, and a 0. */
#define HY_NODE_TEXT 80

typedef struct hy_node_address {
    uint8_t name[16], token[16];
} hy_node_address;

int hy_node_address_make(hy_node_address *address);
void hy_node_address_print(const hy_node_address *address, char text[HY_NODE_TEXT]);

/* LAUNCH: not an address, or an address of another abi. */
int hy_node_address_parse(const char *text, hy_node_address *address);

/* Fills in `where` and returns its length. */
socklen_t hy_node_address_socket(const hy_node_address *address, struct sockaddr_un *where);

#endif
