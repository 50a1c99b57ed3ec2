/* SPDX-License-Identifier: Apache-2.0 */
/* A program that loads libraries, by dlopen and by LD_PRELOAD. */
#include <dlfcn.h>
#include <pthread.h>
#include <pwd.h>
#include <stdint.h>

#include "pvas/task.h"

static void *library;

static void *call_in_a_thread(void *argument)
{
    int *(*calls)(void) = (int *(*)(void))(uintptr_t)dlsym(library, "library_calls");
    CHECK(calls && *calls() == 4000);
    *calls() = 1;
    return argument;
}

/* A library with thread-local storage, loaded while threads run; where it is, is told. */
static int loads(int argc, char **argv)
{
    CHECK(argc > 0);
    for (int i = 0; i < 10; i++) {
        pthread_t thread;
        library = dlopen(argv[0], RTLD_NOW | RTLD_LOCAL);
        if (!library) dprintf(2, "%s\n", dlerror());
        CHECK(library);
        int (*number)(void) = (int (*)(void))(uintptr_t)dlsym(library, "rand");
        CHECK(number && number() == 4001 && number() == 4002);
        CHECK(pthread_create(&thread, NULL, call_in_a_thread, NULL) == 0);
        CHECK(pthread_join(thread, NULL) == 0 && number() == 4003);
        if (i == 9) SAY("loaded @%p ready\n", (void *)(uintptr_t)number);
        if (i == 9) await_word();
        CHECK(dlclose(library) == 0);
    }
    CHECK(!dlopen("/no/such/library.so", RTLD_NOW) && dlerror());
    return 0;
}

static int shows_random_number(int argc, char **argv)
{
    (void)argc, (void)argv;
    SAY("%d\n", rand());
    return 0;
}

/* The C library loads its own parts for this. */
static int shows_user(int argc, char **argv)
{
    (void)argc, (void)argv;
    struct passwd *user = getpwuid(getuid());
    SAY("%s\n", user ? user->pw_name : "(nobody)");
    return 0;
}

int main(int argc, char **argv)
{
    static const task_action actions[] = {
        {"dlopen", loads}, {"rand", shows_random_number}, {"user", shows_user}, {NULL, NULL}};
    return task_run(actions, argc, argv);
}
