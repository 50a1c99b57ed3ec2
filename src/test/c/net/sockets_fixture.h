/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel knows of the connections and the memory of a process. */
#ifndef HY_TEST_SOCKETS_FIXTURE_H
#define HY_TEST_SOCKETS_FIXTURE_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define SOCKETS_MOST 65536

typedef struct sockets_table {
    unsigned long inodes[SOCKETS_MOST]; /* of connections over TCP */
    int count;
} sockets_table;

static inline void sockets_read(sockets_table *table, const char *path)
{
    char line[512];
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file) && table->count < SOCKETS_MOST) {
        unsigned long inode;
        unsigned state; /* 1: established */
        if (sscanf(line, "%*d: %*s %*s %x %*s %*s %*s %*d %*d %lu", &state, &inode) == 2 &&
            state == 1)
            table->inodes[table->count++] = inode;
    }
    if (file) fclose(file);
}

static inline bool sockets_contain(const sockets_table *table, unsigned long inode)
{
    for (int i = 0; i < table->count; i++)
        if (table->inodes[i] == inode) return true;
    return false;
}

/* Sockets of a process that are connected over TCP; -1: it cannot be seen. */
static inline long sockets_connected(pid_t pid)
{
    static sockets_table table;
    const struct dirent *entry;
    char path[64], name[330], target[64];
    long count = 0;
    table.count = 0;
    sockets_read(&table, "/proc/net/tcp");
    sockets_read(&table, "/proc/net/tcp6");
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *folder = opendir(path);
    if (!folder) return -1;
    while ((entry = readdir(folder))) {
        unsigned long inode;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        ssize_t len = readlink(name, target, sizeof target - 1);
        target[len > 0 ? len : 0] = '\0';
        if (sscanf(target, "socket:[%lu]", &inode) == 1) count += sockets_contain(&table, inode);
    }
    closedir(folder);
    return count;
}

static inline long resident_kib(pid_t pid)
{
    char path[64];
    long pages = 0, all;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%ld %ld", &all, &pages) != 2) pages = -1;
    if (file) fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

#endif
