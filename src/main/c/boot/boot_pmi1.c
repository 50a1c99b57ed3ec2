/* SPDX-License-Identifier: Apache-2.0 */
/* The PMI-1 protocol, which hydra's mpiexec (MPICH, Intel MPI) and others use over an inherited
 * socket. The protocol is so small that no library is needed. The keys and values of all ranks
 * stay with the launcher; a get returns one. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/status.h"
#include "boot/boot_cluster.h"
#include "boot/pmi1_message.h"

#define ANSWER_MS 60000
#define FAREWELL_MS 2000

typedef struct pmi1 {
    int fd;
    size_t used; /* bytes of `input` in use */
    char input[HY_PMI1_LINE];
    char space[256]; /* name of the job's key-value space */
} pmi1;

static bool pmi1_present(void)
{
    return getenv("PMI_FD") || getenv("PMI_PORT");
}

static int boot_pmi1_read_number(const char *name, long low, long high, int *value)
{
    const char *text = getenv(name);
    char *end = NULL;
    errno = 0;
    long number = text && *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
    if (end && !*end && !errno && number >= low && number <= high) {
        *value = (int)number;
        return HAYATE_OK;
    }
    return hy_fail(
        HAYATE_ERR_LAUNCH,
        "%s is %s%.40s, expected a number from %ld to %ld; do not change the environment "
        "of mpiexec, or unset all of PMI_FD, PMI_PORT, PMI_RANK and PMI_SIZE to run "
        "alone",
        name, text ? "" : "not set", text ? text : "", low, high);
}

static int check_socket(int fd)
{
    int domain = 0;
    socklen_t length = sizeof domain;
    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_LAUNCH,
                   "PMI_FD=%d is %s; a process that a rank starts is not a rank: unset "
                   "PMI_FD, PMI_RANK and PMI_SIZE for it",
                   fd, errno == EBADF ? "not open" : "not the launcher's socket");
}

static int fail_gone(void)
{
    return hy_fail(HAYATE_ERR_LAUNCH, "the launcher has closed the connection of PMI_FD");
}

static int boot_pmi1_say(pmi1 *state, const char *format, va_list arguments)
{
    char line[HY_PMI1_LINE];
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    if (length < 0 || length >= (int)sizeof line - 1)
        return hy_fail(HAYATE_ERR_LAUNCH, "the launcher's names are too long for PMI-1");
    line[length++] = '\n';
    for (int sent = 0; sent < length;) {
        ssize_t some = send(state->fd, line + sent, (size_t)(length - sent), MSG_NOSIGNAL);
        if (some < 0 && errno == EINTR) continue;
        if (some <= 0) return fail_gone();
        sent += (int)some;
    }
    return HAYATE_OK;
}

static int read_more(pmi1 *state, int limit_ms)
{
    struct pollfd socket = {.fd = state->fd, .events = POLLIN};
    int ready = poll(&socket, 1, limit_ms);
    if (ready < 0 && errno == EINTR) return HAYATE_OK;
    if (ready == 0)
        return hy_fail(HAYATE_ERR_LAUNCH, "no answer from the launcher over PMI_FD within %d s",
                       limit_ms / 1000);
    if (state->used == sizeof state->input)
        return hy_fail(HAYATE_ERR_LAUNCH,
                       "the launcher sent %zu bytes without an end of line over PMI_FD",
                       state->used);
    ssize_t some = recv(state->fd, state->input + state->used, sizeof state->input - state->used,
                        0);
    if (some < 0 && (errno == EINTR || errno == EAGAIN)) return HAYATE_OK;
    if (some <= 0) return fail_gone();
    state->used += (size_t)some;
    return HAYATE_OK;
}

static int boot_pmi1_tell(pmi1 *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int boot_pmi1_tell(pmi1 *state, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int rc = boot_pmi1_say(state, format, arguments);
    va_end(arguments);
    return rc;
}

/* limit_ms: for each piece of the line; negative: no limit, because other ranks decide the time */
static int boot_pmi1_hear(pmi1 *state, int limit_ms, char line[HY_PMI1_LINE])
{
    char *end;
    while (!(end = memchr(state->input, '\n', state->used))) {
        int rc = read_more(state, limit_ms);
        if (rc) return rc;
    }
    size_t length = (size_t)(end - state->input);
    memcpy(line, state->input, length);
    line[length] = '\0';
    if (strlen(line) < length)
        return hy_fail(HAYATE_ERR_LAUNCH, "a line over PMI_FD contains a zero byte");
    state->used -= length + 1;
    memmove(state->input, end + 1, state->used);
    return HAYATE_OK;
}

/* Sends a line and receives the answer, which must be a `command`. */
static int boot_pmi1_ask(pmi1 *state, int limit_ms, char line[HY_PMI1_LINE], const char *command,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

static int boot_pmi1_ask(pmi1 *state, int limit_ms, char line[HY_PMI1_LINE], const char *command,
                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int rc = boot_pmi1_say(state, format, arguments);
    va_end(arguments);
    if (!rc) rc = boot_pmi1_hear(state, limit_ms, line);
    return rc ? rc : hy_pmi1_check(line, command);
}

static int boot_pmi1_take(const char *line, const char *key, char *value, size_t room)
{
    if (hy_pmi1_value(line, key, value, room)) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_LAUNCH,
                   "the launcher answered \"%.100s\" over PMI_FD, expected %s=... of at most %zu "
                   "characters",
                   line, key, room - 1);
}

static int boot_pmi1_begin(pmi1 *state)
{
    char line[HY_PMI1_LINE];
    int rc = boot_pmi1_ask(state, ANSWER_MS, line, "response_to_init",
                           "cmd=init pmi_version=1 pmi_subversion=1");
    if (!rc) rc = boot_pmi1_ask(state, ANSWER_MS, line, "my_kvsname", "cmd=get_my_kvsname");
    return rc ? rc : boot_pmi1_take(line, "kvsname", state->space, sizeof state->space);
}

static int boot_pmi1_get(pmi1 *state, const char *key, char *value, size_t room)
{
    char line[HY_PMI1_LINE];
    int rc = boot_pmi1_ask(state, ANSWER_MS, line, "get_result", "cmd=get kvsname=%s key=%s",
                           state->space, key);
    return rc ? rc : boot_pmi1_take(line, "value", value, room);
}

static int find_place(hy_pmi *pmi)
{
    char mapping[HY_PMI1_LINE];
    if (pmi->size == 1) {
        pmi->place = (hy_node_place){.first = 0, .count = 1};
        return HAYATE_OK;
    }
    int rc = boot_pmi1_get(pmi->state, "PMI_process_mapping", mapping, sizeof mapping);
    return rc ? rc : hy_place_of_mapping(mapping, pmi->rank, pmi->size, &pmi->place);
}

/* There is no answer. */
static void pmi1_abort(hy_pmi *pmi, int code)
{
    boot_pmi1_tell(pmi->state, "cmd=abort exitcode=%d", code);
}

static void pmi1_close(hy_pmi *pmi)
{
    char line[HY_PMI1_LINE];
    pmi1 *state = pmi->state;
    boot_pmi1_ask(state, FAREWELL_MS, line, "finalize_ack", "cmd=finalize");
    close(state->fd);
    free(state);
    pmi->state = NULL;
}

static int read_environment(hy_pmi *pmi, int *fd)
{
    if (!getenv("PMI_FD"))
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "the launcher set PMI_PORT but not PMI_FD; start mpiexec without -pmi-port");
    int rc = boot_pmi1_read_number("PMI_SIZE", 1, HY_PLACE_RANKS, &pmi->size);
    if (!rc) rc = boot_pmi1_read_number("PMI_RANK", 0, (long)pmi->size - 1, &pmi->rank);
    if (!rc) rc = boot_pmi1_read_number("PMI_FD", 0, 1 << 24, fd);
    return rc ? rc : check_socket(*fd);
}

static int pmi1_open(hy_pmi *pmi)
{
    int fd;
    int rc = read_environment(pmi, &fd);
    if (rc) return rc;
    pmi1 *state = calloc(1, sizeof *state);
    if (!state) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for PMI");
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    state->fd = pmi->socket = fd;
    pmi->state = state;
    rc = boot_pmi1_begin(state);
    if (!rc) rc = find_place(pmi);
    if (rc) {
        close(fd);
        free(state);
    }
    return rc;
}

static int pmi1_publish(hy_pmi *pmi, const char *name, const char *text)
{
    char line[HY_PMI1_LINE];
    pmi1 *state = pmi->state;
    return boot_pmi1_ask(state, ANSWER_MS, line, "put_result",
                         "cmd=put kvsname=%s key=hayate-%s-%d value=%s", state->space, name,
                         pmi->rank, text);
}

static int pmi1_fence(hy_pmi *pmi)
{
    char line[HY_PMI1_LINE];
    return boot_pmi1_ask(pmi->state, -1, line, "barrier_out", "cmd=barrier_in");
}

static int pmi1_lookup(hy_pmi *pmi, int rank, const char *name, char text[HY_PMI_TEXT])
{
    char key[48];
    snprintf(key, sizeof key, "hayate-%s-%d", name, rank);
    return boot_pmi1_get(pmi->state, key, text, HY_PMI_TEXT);
}

static int pmi1_map(hy_pmi *pmi, int32_t *node_of)
{
    char mapping[HY_PMI1_LINE];
    int rc = boot_pmi1_get(pmi->state, "PMI_process_mapping", mapping, sizeof mapping);
    return rc ? rc : hy_place_map(mapping, pmi->size, node_of);
}

static int open_cluster(hy_boot *boot)
{
    static const hy_pmi_ops ops = {.once = true,
                                   .open = pmi1_open,
                                   .publish = pmi1_publish,
                                   .fence = pmi1_fence,
                                   .lookup = pmi1_lookup,
                                   .map = pmi1_map,
                                   .abort = pmi1_abort,
                                   .close = pmi1_close};
    return hy_cluster_open(boot, &ops);
}

const hy_boot_ops hy_boot_pmi1 = {.name = "pmi1",
                                  .present = pmi1_present,
                                  .open = open_cluster,
                                  .check = hy_cluster_check,
                                  .publish = hy_cluster_publish,
                                  .lookup = hy_cluster_lookup,
                                  .abort = hy_cluster_abort,
                                  .close = hy_cluster_close,
                                  .release = hy_cluster_release};
