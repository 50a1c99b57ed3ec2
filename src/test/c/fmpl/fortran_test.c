/* SPDX-License-Identifier: Apache-2.0 */
/* FMPL from Fortran: programs with the module and in the old style, the program of the guide, and
 * the constants of hayate/fmpl.fh and all names of the functions. Without gfortran, the programs
 * are missing. */
#include "fmpl/ranks_fixture.h"

#include <hayate/fmpl.h>

#include <stdbool.h>
#include <unistd.h>

typedef struct constant {
    const char *name;
    int64_t in_c, in_fortran;
} constant;

/* A constant that C does not have does not compile. */
#define FORTRAN(name, value) {#name, (int64_t)(name), value},
#define C(name)
#define FUNCTION(name)
static const constant constants[] = {
#include "names.h"
};
#undef FORTRAN
#undef C

#define FORTRAN(name, value)
#define C(name) #name,
static const char *const names_in_c[] = {
#include "names.h"
};
#undef C
#undef FUNCTION

/* A function that Fortran does not have does not link. */
#define C(name)
#define FUNCTION(name) extern void name##_(void);
#include "names.h"
#undef FUNCTION
#define FUNCTION(name) name##_,
static void (*const functions[])(void) = {
#include "names.h"
};

#define COUNT(array) (sizeof array / sizeof *array)

static bool fortran_has(const char *name)
{
    for (size_t i = 0; i < COUNT(constants); i++)
        if (strcmp(constants[i].name, name) == 0) return true;
    return false;
}

TEST(should_have_the_constants_of_the_headers)
{
    for (size_t i = 0; i < COUNT(constants); i++)
        if (constants[i].in_c != constants[i].in_fortran)
            fail_msg("%s is %lld in fmpl.fh, and %lld in C", constants[i].name,
                     (long long)constants[i].in_fortran, (long long)constants[i].in_c);
    assert_true(COUNT(names_in_c) > FMPL_OP_COUNT);
    for (size_t i = 0; i < COUNT(names_in_c); i++) {
        const char *name = names_in_c[i];
        if (strcmp(name, "FMPL_OP_COUNT") == 0 || strcmp(name, "HAYATE_IN_PROGRESS") == 0) continue;
        if (!fortran_has(name)) fail_msg("%s is missing in fmpl.fh", name);
    }
}

TEST(should_have_the_functions_of_the_headers)
{
    assert_true(COUNT(functions) > 40);
    for (size_t i = 0; i < COUNT(functions); i++) assert_non_null(functions[i]);
}

static void need(const char *program)
{
    const char *bin = getenv("HAYATE_TEST_BIN");
    const char *path = text_of("%s/%s", bin ? bin : "", program);
    if (access(path, X_OK) == 0) return;
    fprintf(stderr, "skipped: %s is missing: is gfortran installed?\n", path);
    skip();
}

TEST(should_work_with_the_module)
{
    need("fmpl/fortran_module_program");
    ranks_must_pass("HAYATE_WAIT=adaptive", 2, "fmpl/fortran_module_program");
    ranks_must_pass("HAYATE_WAIT=block HAYATE_EAGER_LIMIT=56", 3, "fmpl/fortran_module_program");
}

TEST(should_work_in_the_old_style)
{
    need("fmpl/fortran_old_program");
    ranks_must_pass("HAYATE_WAIT=adaptive", 2, "fmpl/fortran_old_program");
    ranks_must_pass("HAYATE_WAIT=block HAYATE_EAGER_LIMIT=56", 3, "fmpl/fortran_old_program");
}

TEST(should_run_the_program_of_the_guide)
{
    need("fmpl/fortran_guide_program");
    ranks_result result = ranks_run("HAYATE_WAIT=block",
                                    "-n 3 $HAYATE_TEST_BIN/fmpl/fortran_guide_program");
    if (result.status != 0 || !strstr(result.output, "sum   3.0"))
        fail_msg("exit %d\n%s", result.status, result.output);
}

int main(void)
{
    return ranks_tests_run();
}
