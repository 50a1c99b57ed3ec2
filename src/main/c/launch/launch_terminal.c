/* SPDX-License-Identifier: Apache-2.0 */
/* Passes the terminal to rank 0. Ranks are not in the terminal's foreground group, so a read would
 * stop them with SIGTTIN. Therefore the launcher reads the terminal, while it is in the foreground
 * itself, and passes the input to rank 0. If stdin is not a terminal, rank 0 inherits it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "launch/launch.h"

void hy_launch_terminal_open(hy_launch *job, int *rank_end)
{
    int ends[2];
    if (!isatty(0) || pipe2(ends, O_CLOEXEC) != 0) return;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    *rank_end = ends[0];
    job->pump_fd = ends[1];
    job->terminal_fd = 0;
}

static void stop_pump(hy_launch *job)
{
    if (job->pump_fd >= 0) close(job->pump_fd);
    job->pump_fd = job->terminal_fd = -1;
    job->pump_used = 0;
}

static void write_pump(hy_launch *job, int index)
{
    (void)index;
    ssize_t written = write(job->pump_fd, job->pump_data, job->pump_used);
    if (written > 0) {
        job->pump_used -= (size_t)written;
        memmove(job->pump_data, job->pump_data + written, job->pump_used);
    } else if (errno != EAGAIN && errno != EINTR) {
        stop_pump(job);
        return;
    }
    if (job->pump_used == 0 && job->terminal_fd < 0) stop_pump(job);
}

/* EIO: the launcher was put into the background since poll(); nothing is lost. */
static void read_terminal(hy_launch *job, int index)
{
    (void)index;
    ssize_t length = read(job->terminal_fd, job->pump_data, sizeof job->pump_data);
    if (length > 0) {
        job->pump_used = (size_t)length;
        write_pump(job, 0);
    } else if (length == 0 || (errno != EIO && errno != EAGAIN && errno != EINTR)) {
        stop_pump(job);
    }
}

static void rank_closed(hy_launch *job, int index)
{
    (void)index;
    stop_pump(job);
}

void hy_launch_terminal_watch(hy_launch *job)
{
    if (job->pump_used) hy_launch_watch(job, job->pump_fd, POLLOUT, write_pump, 0);
    else {
        hy_launch_watch(job, job->pump_fd, 0, rank_closed, 0); /* POLLERR: rank 0 has closed its
                                                                * stdin */
        if (tcgetpgrp(0) == getpgrp())
            hy_launch_watch(job, job->terminal_fd, POLLIN, read_terminal, 0);
    }
}
