/* Lets the n-th call of one kind fail, before it does anything: MOTET_FAULT=write:3. With MOTET_FAULT_COUNTS=FILE the calls of
   each kind are counted. Loaded before the C library, so that the program under test is the one that users have. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { WRITE, FLUSH, RENAME, THREAD, CREATE, FOLDER, KINDS };
static const char *const names[KINDS] = {"write", "flush", "rename", "thread", "create", "folder"};
static atomic_long counts[KINDS];
static int wanted = -1;
static long number;
/* How a write fails: not at all but by half, or because a signal came. */
static enum { FULL, SHORT, SIGNAL } manner = FULL;

__attribute__((constructor)) static void read_settings(void) {
    const char *text = getenv("MOTET_FAULT");
    if (!text) return;
    const char *colon = strchr(text, ':');
    if (!colon) return;
    number = atol(colon + 1);
    if (!strncmp(text, "short:", 6)) { wanted = WRITE; manner = SHORT; return; }
    if (!strncmp(text, "signal:", 7)) { wanted = WRITE; manner = SIGNAL; return; }
    for (int kind = 0; kind < KINDS; kind++)
        if (!strncmp(text, names[kind], (size_t)(colon - text)) && !names[kind][colon - text]) wanted = kind;
}

__attribute__((destructor)) static void write_counts(void) {
    const char *path = getenv("MOTET_FAULT_COUNTS");
    if (!path) return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int kind = 0; file >= 0 && kind < KINDS; kind++) {
        char line[64];
        int length = snprintf(line, sizeof line, "%s %ld\n", names[kind], atomic_load(&counts[kind]));
        syscall(SYS_write, file, line, (size_t)length);
    }
    if (file >= 0) syscall(SYS_close, file);
}

/* Whether it is this call's turn. */
static int turn(enum kind kind) { return atomic_fetch_add(&counts[kind], 1) + 1 == number && wanted == (int)kind; }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t length) {
    if (turn(WRITE)) {
        if (manner == FULL) { errno = ENOSPC; return -1; }
        if (manner == SIGNAL) { errno = EINTR; return -1; }
        if (length > 1) length /= 2;
    }
    return syscall(SYS_write, file, bytes, length);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    if (turn(WRITE)) {
        if (manner == FULL) { errno = ENOSPC; return -1; }
        if (manner == SIGNAL) { errno = EINTR; return -1; }
        count = 1;
    }
    return syscall(SYS_writev, file, parts, count);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t place) {
    if (turn(WRITE)) {
        if (manner == FULL) { errno = ENOSPC; return -1; }
        if (manner == SIGNAL) { errno = EINTR; return -1; }
        if (length > 1) length /= 2;
    }
    return syscall(SYS_pwrite64, file, bytes, length, place);
}

int fsync(int file) {
    if (turn(FLUSH)) { errno = EIO; return -1; }
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    if (turn(FLUSH)) { errno = EIO; return -1; }
    return (int)syscall(SYS_fdatasync, file);
}

int rename(const char *from, const char *to) {
    if (turn(RENAME)) { errno = EACCES; return -1; }
    return (int)syscall(SYS_rename, from, to);
}

int mkdir(const char *path, mode_t mode) {
    if (turn(FOLDER)) { errno = EACCES; return -1; }
    return (int)syscall(SYS_mkdir, path, mode);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? (mode_t)va_arg(more, int) : 0;
    va_end(more);
    if ((flags & O_CREAT) && turn(CREATE)) { errno = ENOSPC; return -1; }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    if (turn(THREAD)) return EAGAIN;
    return REAL(pthread_create)(thread, attributes, start, argument);
}
