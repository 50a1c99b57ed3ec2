/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a random address, writes it as text, and parses the text of another rank. */
#include "boot/node_address.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/status.h"
#include "boot/control.h"

int hy_node_address_make(hy_node_address *address)
{
    if (getrandom(address, sizeof *address, 0) == (ssize_t)sizeof *address) return HAYATE_OK;
    return hy_fail_errno("getrandom");
}

static void print_hex(const uint8_t bytes[16], char text[33])
{
    for (int i = 0; i < 16; i++) snprintf(text + i * 2, 3, "%02x", bytes[i]);
}

void hy_node_address_print(const hy_node_address *address, char text[HY_NODE_TEXT])
{
    char name[33], token[33];
    print_hex(address->name, name);
    print_hex(address->token, token);
    snprintf(text, HY_NODE_TEXT, "%u.%s.%s", HY_ABI, name, token);
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Returns the text behind the digits; NULL: no such digits. */
static const char *parse_hex(const char *text, uint8_t bytes[16])
{
    for (int i = 0; i < 16; i++) {
        int high = digit(text[0]), low = high < 0 ? -1 : digit(text[1]);
        if (low < 0) return NULL;
        bytes[i] = (uint8_t)(high << 4 | low);
        text += 2;
    }
    return text;
}

static const char *parse_abi(const char *text, unsigned *abi)
{
    *abi = 0;
    const char *end = text;
    for (; *end >= '0' && *end <= '9' && end - text < 6; end++)
        *abi = *abi * 10 + (unsigned)(*end - '0');
    return end > text && *text != '0' && *end == '.' ? end + 1 : NULL;
}

int hy_node_address_parse(const char *text, hy_node_address *address)
{
    unsigned abi;
    const char *rest = parse_abi(text, &abi);
    if (rest && abi != HY_ABI)
        return hy_fail(HAYATE_ERR_LAUNCH,
                       "the first rank of this node has abi %u, this library has abi %u; start all "
                       "ranks with the same version",
                       abi, HY_ABI);
    if (rest) rest = parse_hex(rest, address->name);
    if (rest) rest = *rest == '.' ? parse_hex(rest + 1, address->token) : NULL;
    if (rest && !*rest) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_LAUNCH,
                   "the launcher gave \"%.100s\" as the address of this node's first rank, expected"
                   " \"%u.name.token\"; all ranks must be Hayate programs of one version",
                   text, HY_ABI);
}

socklen_t hy_node_address_socket(const hy_node_address *address, struct sockaddr_un *where)
{
    char name[33];
    *where = (struct sockaddr_un){.sun_family = AF_UNIX};
    print_hex(address->name, name);
    int used = snprintf(where->sun_path + 1, sizeof where->sun_path - 1, "hayate-%s", name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)used);
}
