/* Shares the execution counters of a program that is linked with the ordinary gcov runtime, without changing it.
 *
 * A shared library for LD_PRELOAD. It is initialised before the program's own constructors run. At that time the tables
 * of all translation units lie complete in the program's data, and none has registered with the runtime. So it
 *
 *   1. finds the tables: by their look, since nothing outside the program may name them (and stripped programs have no
 *      names at all);
 *   2. sets the version in each table to 0, which tells the runtime to pass the unit over. The runtime then has nothing
 *      to write: there will be no .gcda files, however the program ends, and nothing else about its end changes;
 *   3. moves .bss onto the shared memory object that MULSTRINGFUZZ_COUNTERS names (see shared_counters.h).
 *
 * Without that variable nothing is done. In a program without such tables only that is noted, and the object is left
 * to a program that it may start: a solver may be a shell script that ends in exec.
 *
 *   gcc -O2 -shared -fPIC -o preload.so preload.c
 */

#define _GNU_SOURCE
#include <link.h>

#include "shared_counters.h"

/* The program, or a shared library, in memory. */
enum { MAX_SEGMENTS = 16 };

struct segment {
    uintptr_t start, file_end, end; /* what lies between the latter two is .bss */
    int writable;
};

struct object {
    struct segment segments[MAX_SEGMENTS];
    int count;
};

/* Where the program's .bss is. */
static uintptr_t bss_start, bss_end;

/* Whether [at, at + length) was loaded from the object's file. */
static int holds(const struct object *object, uintptr_t at, size_t length)
{
    for (int i = 0; i < object->count; i++) {
        const struct segment *segment = &object->segments[i];
        if (at >= segment->start && at < segment->file_end)
            return length <= segment->file_end - at;
    }
    return 0;
}

/* Whether this is the name of a data file. */
static int is_data_file(const struct object *object, const char *name)
{
    static const char END[] = ".gcda";
    size_t length = 0;
    while (holds(object, (uintptr_t)name + length, 1) && name[length] != '\0')
        length++;
    return length >= sizeof END && holds(object, (uintptr_t)name + length, 1)
        && memcmp(name + length - (sizeof END - 1), END, sizeof END) == 0;
}

/* Whether this is a compiler's version as gcov writes it: a letter and a digit for the major version, a digit for the
 * minor, and the state of its release. */
static int is_version(uint32_t word)
{
    unsigned char letter = (unsigned char)(word >> 24), major = (unsigned char)(word >> 16);
    unsigned char minor = (unsigned char)(word >> 8), state = (unsigned char)word;
    return letter >= 'A' && letter <= 'Z' && major >= '0' && major <= '9' && minor >= '0' && minor <= '9'
        && (state == '*' || (state >= 'a' && state <= 'z'));
}

/* Whether this is the table of a translation unit: every pointer in it leads to what it should lead to. */
static int is_unit(const struct object *object, const struct unit *unit)
{
    if (!is_version(unit->version) || !is_data_file(object, unit->filename))
        return 0;
    if (unit->version >> 16 != GCC_12)
        return 1; /* its other fields may lie elsewhere; add_unit refuses it */
    uintptr_t functions = (uintptr_t)unit->functions;
    size_t bytes = (size_t)unit->function_count * sizeof unit->functions[0];
    if (functions % sizeof(void *) != 0 || !holds(object, functions, bytes))
        return 0;
    for (uint32_t i = 0; i < unit->function_count; i++) {
        uintptr_t function = (uintptr_t)unit->functions[i];
        if (function != 0 && (function % sizeof(void *) != 0 || !holds(object, function, sizeof(struct function))))
            return 0;
    }
    return 1;
}

/* Finds the units in a segment, and takes them away from the runtime. */
static void search_segment(const struct object *object, const struct segment *segment)
{
    uintptr_t at = (segment->start + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
    for (; at < segment->file_end && segment->file_end - at >= sizeof(struct unit); at += sizeof(void *)) {
        struct unit *unit = (struct unit *)at;
        if (!is_unit(object, unit))
            continue;
        add_unit(unit);
        unit->version = 0;
    }
}

/* The units of shared libraries are searched for too: their counters cannot be shared, which must not go unnoticed. */
static int search_object(struct dl_phdr_info *info, size_t size, void *searched)
{
    struct object object = { .count = 0 };
    int *is_library = searched;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum && object.count < MAX_SEGMENTS; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_R) == 0)
            continue;
        struct segment *segment = &object.segments[object.count++];
        segment->start = info->dlpi_addr + part->p_vaddr;
        segment->file_end = segment->start + part->p_filesz;
        segment->end = segment->start + part->p_memsz;
        segment->writable = (part->p_flags & PF_W) != 0;
        int larger = segment->end - segment->file_end > bss_end - bss_start;
        if (!*is_library && segment->writable && larger) {
            bss_start = segment->file_end;
            bss_end = segment->end;
        }
    }
    for (int i = 0; i < object.count; i++)
        if (object.segments[i].writable)
            search_segment(&object, &object.segments[i]);
    *is_library = 1; /* the program itself comes first */
    return 0;
}

static void note_no_units(void)
{
    uint64_t noted = PROBLEM_NO_UNITS;
    write_all(&noted, sizeof noted, offsetof(struct header, problems));
}

__attribute__((constructor)) static void take_counters(void)
{
    int is_library = 0;
    if (!open_channel())
        return;
    dl_iterate_phdr(search_object, &is_library);
    if (unit_count == 0 && problems == 0) {
        note_no_units();
        return;
    }
    move_image(bss_start, bss_end);
    describe_layout();
}
