/* How the execution counters of a running program become memory that the fuzzer shares.
 *
 * GCC puts every counter into the program's .bss. When the environment variable MULSTRINGFUZZ_COUNTERS holds the number
 * of an inherited descriptor of a prepared shared memory object, .bss is moved onto that object at start-up. From then
 * on the parent can read the counters at any moment: after an exit, and equally after SIGTERM, SIGXCPU or SIGKILL.
 *
 * The object, all numbers little-endian:
 *
 *   [0, page)                  struct header
 *   [image_offset, +length)    the pages of .bss
 *   [table_offset, +length)    the layout: where the counters of each translation unit's functions are;
 *                              left out when the parent already knows it (known_layout = layout)
 *
 * Included by runtime.c, which is linked into the program, and by preload.c, which is loaded into a program that has
 * the ordinary gcov runtime. They differ in how they find the units and .bss. Both call open_channel first and
 * describe_layout last; in between move_image, and add_unit for each unit.
 */

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What GCC 12 emits for each translation unit (its gcov-io.h describes the fields). */
enum { COUNTER_KINDS = 8 };

/* The upper half of the version in its tables: "B2", whatever the minor version. */
enum { GCC_12 = 0x4232 };

struct counter_array {
    uint32_t count;
    int64_t *values;
};

struct unit;

struct function {
    const struct unit *key; /* the unit whose copy the linker kept (COMDAT functions have many) */
    uint32_t ident;
    uint32_t line_checksum;
    uint32_t graph_checksum;
    struct counter_array arrays[1];
};

struct unit {
    uint32_t version;
    struct unit *next;
    uint32_t stamp;
    uint32_t checksum;
    const char *filename;
    void (*merge[COUNTER_KINDS])(int64_t *, uint32_t);
    uint32_t function_count;
    const struct function *const *functions;
};

/* Keep in step with src/coverage/channel.rs. */
static const uint64_t MAGIC = 0x31305352544e4353; /* "SCNTRS01" */

enum { WAITING = 0, ATTACHED = 1, REGISTERED = 2 };
enum { PROBLEM_OUTSIDE = 1, PROBLEM_TOO_MANY_UNITS = 2, PROBLEM_VERSION = 4, PROBLEM_WRITE = 8, PROBLEM_NO_UNITS = 16 };

struct header {
    uint64_t magic;        /* parent */
    uint64_t known_layout; /* parent: the layout it has already, or 0 */
    uint64_t state;        /* ours from here on */
    uint64_t problems;
    uint64_t layout;
    uint64_t image_offset;
    uint64_t image_length;
    uint64_t table_offset;
    uint64_t table_length;
    uint64_t unit_count;
};

enum { MAX_UNITS = 65536 };
static const struct unit *units[MAX_UNITS];
static uint32_t unit_count;
static uint64_t problems;
static int descriptor = -1;
static uintptr_t image_start, image_end;
static uint64_t page;

/* The descriptor named by the environment, or -1. */
static int named_descriptor(void)
{
    const char *text = getenv("MULSTRINGFUZZ_COUNTERS");
    long value = 0;
    if (text == NULL || *text == '\0')
        return -1;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9' || value > 1000000)
            return -1;
        value = value * 10 + (*text - '0');
    }
    return (int)value;
}

static int write_all(const void *data, size_t length, uint64_t offset)
{
    const char *bytes = data;
    while (length > 0) {
        ssize_t written = pwrite(descriptor, bytes, length, (off_t)offset);
        if (written <= 0)
            return 0;
        bytes += written;
        offset += (uint64_t)written;
        length -= (size_t)written;
    }
    return 1;
}

/* Copies the pages of .bss that have been touched so far. The rest is zero, and stays a hole. */
static int copy_touched_pages(void)
{
    size_t pages = (image_end - image_start) / page;
    uint64_t entries[512];
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    int copied = 1;
    for (size_t first = 0; first < pages && copied; first += 512) {
        size_t batch = pages - first < 512 ? pages - first : 512;
        off_t at = (off_t)((image_start / page + first) * sizeof entries[0]);
        ssize_t wanted = (ssize_t)(batch * sizeof entries[0]);
        /* Without a page map every page counts as touched: slower, still right. */
        if (pagemap < 0 || pread(pagemap, entries, (size_t)wanted, at) != wanted)
            memset(entries, 0xff, sizeof entries);
        for (size_t i = 0; i < batch && copied; i++) {
            const char *source = (const char *)(image_start + (first + i) * page);
            int touched = (entries[i] >> 62) != 0; /* present, or swapped out */
            if (touched && (source[0] != 0 || memcmp(source, source + 1, page - 1) != 0))
                copied = write_all(source, page, page + (first + i) * page);
        }
    }
    if (pagemap >= 0)
        close(pagemap);
    return copied;
}

/* Whether the environment names a prepared object that nobody has taken up yet. The magic protects whatever else may
 * have the number in a grandchild. */
static int open_channel(void)
{
    struct header header;
    descriptor = named_descriptor();
    if (descriptor >= 0
        && (pread(descriptor, &header, sizeof header, 0) != (ssize_t)sizeof header || header.magic != MAGIC
            || header.state != WAITING))
        descriptor = -1;
    return descriptor >= 0;
}

/* Moves the pages of [start, end), which hold .bss, onto the shared object. On any failure the program runs on,
 * unobserved. */
static void move_image(uintptr_t start, uintptr_t end)
{
    struct header header;
    page = (uint64_t)sysconf(_SC_PAGESIZE);
    image_start = start & ~(page - 1);
    image_end = (end + page - 1) & ~(page - 1);
    uint64_t length = image_end - image_start;
    if (pread(descriptor, &header, sizeof header, 0) != (ssize_t)sizeof header
        || ftruncate(descriptor, (off_t)(page + length)) != 0) {
        descriptor = -1;
        return;
    }
    header.state = ATTACHED;
    header.problems = 0;
    header.image_offset = page;
    header.image_length = length;
    /* Nothing below may write to .bss between the copy and the mapping: such a write would be lost. */
    if (!copy_touched_pages()
        || mmap((void *)image_start, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, (off_t)page)
            == MAP_FAILED) {
        descriptor = -1;
        return;
    }
    if (!write_all(&header, sizeof header, 0))
        descriptor = -1;
}

/* Notes a translation unit that has counters. */
static void add_unit(const struct unit *unit)
{
    if (unit->version >> 16 != GCC_12)
        problems |= PROBLEM_VERSION;
    else if (unit_count == MAX_UNITS)
        problems |= PROBLEM_TOO_MANY_UNITS;
    else
        units[unit_count++] = unit;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

/* Offset of a function's counters in the image, or UINT64_MAX when they are not in it. */
static uint64_t image_position(const struct function *function)
{
    uintptr_t at = (uintptr_t)function->arrays[0].values;
    uint64_t bytes = (uint64_t)function->arrays[0].count * sizeof(int64_t);
    if (at < image_start || at > image_end || bytes > image_end - at)
        return UINT64_MAX;
    return at - image_start;
}

static int counted_here(const struct unit *unit, uint32_t index)
{
    const struct function *function = unit->functions[index];
    return unit->merge[0] != NULL && function != NULL && function->key == unit;
}

/* Names the layout cheaply: the units, and where the first and last function of each has its counters. */
static uint64_t layout_name(void)
{
    uint64_t hash = mix(MAGIC, image_end - image_start);
    for (uint32_t i = 0; i < unit_count; i++) {
        const struct unit *unit = units[i];
        uint32_t ends[2] = { 0, unit->function_count - 1 };
        hash = mix(hash, ((uint64_t)unit->stamp << 32) | unit->checksum);
        hash = mix(hash, ((uintptr_t)unit - image_start) ^ unit->function_count);
        for (int end = 0; end < 2 && unit->function_count > 0; end++)
            if (counted_here(unit, ends[end]))
                hash = mix(hash, image_position(unit->functions[ends[end]]));
    }
    return hash == 0 ? 1 : hash;
}

struct table {
    char *bytes;
    size_t length, capacity;
};

static void append(struct table *table, const void *data, size_t length)
{
    if (table->length + length > table->capacity) {
        size_t capacity = 2 * (table->length + length) + 65536;
        char *bytes = mremap(table->bytes, table->capacity, capacity, MREMAP_MAYMOVE);
        if (bytes == MAP_FAILED) {
            problems |= PROBLEM_WRITE;
            return;
        }
        table->bytes = bytes;
        table->capacity = capacity;
    }
    memcpy(table->bytes + table->length, data, length);
    table->length += length;
}

/* Per unit: stamp, checksum, name length, function count, name; per function: ident, line checksum,
 * graph checksum, counter count (32 bits each), image position (64 bits). */
static void append_unit(struct table *table, const struct unit *unit)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < unit->function_count; i++)
        kept += (uint32_t)counted_here(unit, i);
    uint32_t name_length = (uint32_t)strlen(unit->filename);
    uint32_t head[4] = { unit->stamp, unit->checksum, name_length, kept };
    append(table, head, sizeof head);
    append(table, unit->filename, name_length);
    for (uint32_t i = 0; i < unit->function_count; i++) {
        if (!counted_here(unit, i))
            continue;
        const struct function *function = unit->functions[i];
        uint32_t identity[4] = { function->ident, function->line_checksum, function->graph_checksum,
                                 function->arrays[0].count };
        uint64_t position = image_position(function);
        if (position == UINT64_MAX)
            problems |= PROBLEM_OUTSIDE;
        append(table, identity, sizeof identity);
        append(table, &position, sizeof position);
    }
}

/* Tells the parent where the counters are, once every unit is known. */
static void describe_layout(void)
{
    struct header header;
    if (descriptor < 0)
        return;
    if (pread(descriptor, &header, sizeof header, 0) == (ssize_t)sizeof header) {
        header.layout = layout_name();
        header.unit_count = unit_count;
        header.table_offset = header.image_offset + header.image_length;
        header.table_length = 0;
        if (header.layout != header.known_layout) {
            struct table table = { NULL, 0, 65536 };
            table.bytes = mmap(NULL, table.capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (table.bytes != MAP_FAILED) {
                for (uint32_t i = 0; i < unit_count; i++)
                    append_unit(&table, units[i]);
                if (!write_all(table.bytes, table.length, header.table_offset))
                    problems |= PROBLEM_WRITE;
                header.table_length = table.length;
                munmap(table.bytes, table.capacity);
            } else {
                problems |= PROBLEM_WRITE;
            }
        }
        header.problems = problems;
        header.state = REGISTERED;
        write_all(&header, sizeof header, 0);
    }
    close(descriptor);
    descriptor = -1;
}
