/* Makes the system calls of a program fail, fall short or be its last ones.
 *
 * Preloaded, it has the kernel trap every call that touches files or the
 * network, whoever makes it: the C library or the program itself. Its handler
 * counts them, makes them in the program's stead, writes down what came of
 * each, and does with one of them what FAULT says:
 *
 *   FAULT=none        nothing
 *   FAULT=kill:N      SIGKILL instead of call N
 *   FAULT=half:N      of what call N writes, only the first half is written
 *   FAULT=torn:N      the same, and then SIGKILL
 *   FAULT=fail:N:E    call N fails with the error number E and does nothing
 *   FAULT=locks:E     every flock fails so
 *   FAULT=exit        SIGKILL instead of its end, when all is done
 *   FAULT=slow        every fsync takes 20 milliseconds, as it may on a disk
 *   FAULT=names       no search for the name of a host ever ends
 *   FAULT=off         the program is left alone but for the alarm
 *
 * A call that cannot fail or fall short does not: the next one that can does it
 * instead. Which call of a thread has which number, nobody knows before.
 *
 * Calls count from the first that names a path outside the system's own: what
 * comes before it starts any program. The trace goes to the file TRACE, one
 * call a line: number, name, path, second path, size or flags, result or
 * error, marks (f: may fail, w: may fall short), separated by tabs.
 *
 * A program that does not end is ended by an alarm after two minutes. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netdb.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#if !defined(__linux__) || !defined(__x86_64__)
#error "the registers of this machine are not known here: add them"
#endif

/* The one place whose calls the kernel lets through. */
long gate(long number, long a, long b, long c, long d, long e, long f);
extern char gate_end[];
__asm__(".text\n"
        ".hidden gate\n"
        ".globl gate\n"
        ".type gate, @function\n"
        "gate:\n"
        "  mov %rdi, %rax\n"
        "  mov %rsi, %rdi\n"
        "  mov %rdx, %rsi\n"
        "  mov %rcx, %rdx\n"
        "  mov %r8, %r10\n"
        "  mov %r9, %r8\n"
        "  mov 8(%rsp), %r9\n"
        "  syscall\n"
        ".hidden gate_end\n"
        ".globl gate_end\n"
        "gate_end:\n"
        "  ret\n");

enum {
  FAILS = 1,  /* it may fail */
  WRITES = 2, /* its third argument is the size of what it writes */
  SOCKET = 4, /* a connection that has failed once is broken */
};

struct call {
  int number;
  const char *name;
  int path;   /* the argument that is its path, or -1 */
  int second; /* the argument that is another */
  int fd;     /* the argument that is its descriptor, or -1 */
  int shown;  /* the argument worth telling, or -1 */
  int flags;
};

static const struct call calls[] = {
    {SYS_open, "open", 0, -1, -1, 1, FAILS},
    {SYS_openat, "openat", 1, -1, -1, 2, FAILS},
    {SYS_creat, "creat", 0, -1, -1, -1, FAILS},
    {SYS_read, "read", -1, -1, 0, 2, FAILS},
    {SYS_pread64, "pread64", -1, -1, 0, 2, FAILS},
    {SYS_readv, "readv", -1, -1, 0, -1, FAILS},
    {SYS_write, "write", -1, -1, 0, 2, FAILS | WRITES},
    {SYS_pwrite64, "pwrite64", -1, -1, 0, 2, FAILS | WRITES},
    {SYS_writev, "writev", -1, -1, 0, 2, FAILS | WRITES},
    {SYS_lseek, "lseek", -1, -1, 0, 1, FAILS},
    {SYS_fsync, "fsync", -1, -1, 0, -1, FAILS},
    {SYS_fdatasync, "fdatasync", -1, -1, 0, -1, FAILS},
    {SYS_ftruncate, "ftruncate", -1, -1, 0, 1, FAILS},
    {SYS_copy_file_range, "copy_file_range", -1, -1, 0, 4, FAILS},
    {SYS_flock, "flock", -1, -1, 0, 1, FAILS},
    {SYS_stat, "stat", 0, -1, -1, -1, FAILS},
    {SYS_lstat, "lstat", 0, -1, -1, -1, FAILS},
    {SYS_fstat, "fstat", -1, -1, 0, -1, FAILS},
    {SYS_newfstatat, "newfstatat", 1, -1, 0, -1, FAILS},
    {SYS_statx, "statx", 1, -1, 0, -1, FAILS},
    {SYS_access, "access", 0, -1, -1, -1, FAILS},
    {SYS_faccessat, "faccessat", 1, -1, -1, -1, FAILS},
    {SYS_readlink, "readlink", 0, -1, -1, -1, FAILS},
    {SYS_readlinkat, "readlinkat", 1, -1, -1, -1, FAILS},
    {SYS_getdents64, "getdents64", -1, -1, 0, -1, FAILS},
    {SYS_mkdir, "mkdir", 0, -1, -1, -1, FAILS},
    {SYS_mkdirat, "mkdirat", 1, -1, -1, -1, FAILS},
    {SYS_rename, "rename", 0, 1, -1, -1, FAILS},
    {SYS_renameat, "renameat", 1, 3, -1, -1, FAILS},
    {SYS_renameat2, "renameat2", 1, 3, -1, 4, FAILS},
    {SYS_link, "link", 0, 1, -1, -1, FAILS},
    {SYS_linkat, "linkat", 1, 3, -1, -1, FAILS},
    {SYS_unlink, "unlink", 0, -1, -1, -1, FAILS},
    {SYS_unlinkat, "unlinkat", 1, -1, -1, -1, FAILS},
    {SYS_chmod, "chmod", 0, -1, -1, 1, FAILS},
    {SYS_fchmod, "fchmod", -1, -1, 0, 1, FAILS},
    {SYS_fchmodat, "fchmodat", 1, -1, -1, 2, FAILS},
    {SYS_socket, "socket", -1, -1, -1, 0, FAILS},
    {SYS_connect, "connect", -1, -1, 0, -1, FAILS | SOCKET},
    {SYS_setsockopt, "setsockopt", -1, -1, 0, 2, FAILS},
    {SYS_getsockopt, "getsockopt", -1, -1, 0, 2, FAILS},
    {SYS_sendto, "sendto", -1, -1, 0, 2, FAILS | WRITES | SOCKET},
    {SYS_recvfrom, "recvfrom", -1, -1, 0, 2, FAILS | SOCKET},
    {SYS_shutdown, "shutdown", -1, -1, 0, 1, FAILS},
    {SYS_poll, "poll", -1, -1, -1, -1, FAILS},
    /* What these answer is of no consequence, or never looked at. */
    {SYS_close, "close", -1, -1, 0, -1, 0},
    {SYS_fcntl, "fcntl", -1, -1, 0, 1, 0},
    {SYS_getrandom, "getrandom", -1, -1, -1, -1, 0},
};
enum { CALLS = sizeof calls / sizeof *calls };

static enum { NONE, KILL, HALF, TORN, FAIL, LOCKS, EXIT, SLOW } fault;
static long chosen, error_number;
static int trace;
static long count;
static int is_met; /* the call has come that meets the fault */

static void die(const char *why) {
  gate(SYS_write, 2, (long)"shim: ", 6, 0, 0, 0);
  gate(SYS_write, 2, (long)why, (long)strlen(why), 0, 0, 0);
  gate(SYS_write, 2, (long)"\n", 1, 0, 0, 0);
  gate(SYS_exit_group, 99, 0, 0, 0, 0, 0);
}

/* A line of the trace. */
struct line {
  char text[9000];
  size_t length;
};

static void put(struct line *line, const char *text) {
  for (; *text && line->length < sizeof line->text - 64; text++)
    line->text[line->length++] = *text;
}

static void put_number(struct line *line, long number) {
  char digits[24];
  char *place = digits + sizeof digits;
  unsigned long rest = number < 0 ? 0UL - (unsigned long)number : (unsigned long)number;
  *--place = 0;
  do
    *--place = (char)('0' + rest % 10);
  while (rest /= 10);
  if (number < 0) *--place = '-';
  put(line, place);
}

/* The path that a descriptor was opened by. */
static void put_descriptor(struct line *line, long fd) {
  struct line name = {.length = 0};
  char path[4096];
  put(&name, "/proc/self/fd/");
  put_number(&name, fd);
  name.text[name.length] = 0;
  long size = gate(SYS_readlink, (long)name.text, (long)path, sizeof path - 1, 0, 0, 0);
  path[size < 0 ? 0 : size] = 0;
  put(line, path);
}

static int is_system(const char *path) {
  static const char *const folders[] = {"/etc/", "/proc/", "/sys/", "/usr/", "/lib", "/dev/"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (!strncmp(path, folders[i], strlen(folders[i]))) return 1;
  return 0;
}

static void killed(struct line *line) {
  put(line, "\tkilled\t\n");
  gate(SYS_write, trace, (long)line->text, (long)line->length, 0, 0, 0);
  gate(SYS_kill, gate(SYS_getpid, 0, 0, 0, 0, 0, 0), SIGKILL, 0, 0, 0, 0);
}

/* The call with half of what it would write. */
static long half(const struct call *call, const long *a) {
  if (call->number != SYS_writev)
    return gate(call->number, a[0], a[1], a[2] < 2 ? a[2] : a[2] / 2, a[3], a[4], a[5]);
  const struct iovec *parts = (const struct iovec *)a[1];
  long i = 0;
  while (i + 1 < a[2] && parts[i].iov_len == 0) i++;
  size_t size = parts[i].iov_len;
  return gate(SYS_write, a[0], (long)parts[i].iov_base, (long)(size < 2 ? size : size / 2), 0, 0,
              0);
}

static void trapped(int signal, siginfo_t *info, void *context) {
  (void)signal;
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const long a[] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                    registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
  /* It is no call like others: it touches nothing, and is not counted. */
  if (info->si_syscall == SYS_exit_group) {
    if (fault == EXIT) gate(SYS_kill, gate(SYS_getpid, 0, 0, 0, 0, 0, 0), SIGKILL, 0, 0, 0, 0);
    gate(SYS_exit_group, a[0], 0, 0, 0, 0, 0);
  }
  const struct call *call = calls;
  while (call->number != info->si_syscall) call++;
  const char *path = call->path < 0 ? NULL : (const char *)a[call->path];
  if (!count && (!path || !*path || is_system(path))) {
    registers[REG_RAX] = gate(call->number, a[0], a[1], a[2], a[3], a[4], a[5]);
    return;
  }
  long n = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
  struct line line;
  line.length = 0;
  put_number(&line, n);
  put(&line, "\t");
  put(&line, call->name);
  put(&line, "\t");
  if (path && *path)
    put(&line, path);
  else if (call->fd >= 0)
    put_descriptor(&line, a[call->fd]);
  put(&line, "\t");
  if (call->second >= 0) put(&line, (const char *)a[call->second]);
  put(&line, "\t");
  if (call->shown >= 0) put_number(&line, a[call->shown]);

  int meets = fault == KILL || (fault == FAIL && call->flags & FAILS) ||
              ((fault == HALF || fault == TORN) && call->flags & WRITES);
  int hit = meets && n >= chosen && !__atomic_exchange_n(&is_met, 1, __ATOMIC_RELAXED);
  long result;
  if (fault == SLOW && call->number == SYS_fsync) {
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    gate(SYS_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
  }
  if (hit && fault == KILL) killed(&line);
  if ((hit && fault == FAIL) || (fault == LOCKS && call->number == SYS_flock)) {
    result = -error_number;
    if (call->flags & SOCKET && error_number != EINTR) gate(SYS_shutdown, a[0], 2, 0, 0, 0, 0);
  } else if (hit && (fault == HALF || fault == TORN)) {
    result = half(call, a);
    if (fault == TORN) killed(&line);
  } else {
    result = gate(call->number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  registers[REG_RAX] = result;
  put(&line, "\t");
  put_number(&line, result);
  put(&line, "\t");
  if (call->flags & FAILS) put(&line, "f");
  if (call->flags & WRITES) put(&line, "w");
  put(&line, "\n");
  gate(SYS_write, trace, (long)line.text, (long)line.length, 0, 0, 0);
}

/* What is behind the first colon, or behind the second. */
static long argument(const char *text, int colons) {
  for (; colons && text; colons--)
    if ((text = strchr(text, ':'))) text++;
  if (!text) die("FAULT is not of a form that is known");
  return strtol(text, NULL, 10);
}

static void read_fault(const char *text) {
  static const char *const names[] = {"none", "kill", "half", "torn", "fail", "locks",
                                      "exit", "slow"};
  size_t length = strcspn(text, ":");
  for (int i = NONE; i <= SLOW; i++) {
    if (strlen(names[i]) != length || strncmp(text, names[i], length)) continue;
    fault = i;
    if (fault == LOCKS) {
      error_number = argument(text, 1);
    } else if (fault >= KILL && fault <= FAIL) {
      chosen = argument(text, 1);
      if (fault == FAIL) error_number = argument(text, 2);
    }
    return;
  }
  die("FAULT is not of a form that is known");
}

static int is_nameless;

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **found) {
  while (is_nameless) pause();
  int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
  *(void **)&next = dlsym(RTLD_NEXT, "getaddrinfo");
  return next(node, service, hints, found);
}

__attribute__((constructor)) static void begin(void) {
  const char *wanted = getenv("FAULT"), *file = getenv("TRACE");
  if (!wanted) return;
  alarm(120);
  is_nameless = !strcmp(wanted, "names");
  if (is_nameless || !strcmp(wanted, "off")) return;
  read_fault(wanted);
  int fd = file ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  /* Out of the way of the numbers that the program's own files get. */
  trace = fcntl(fd, F_DUPFD_CLOEXEC, 500);
  if (trace < 0) die("the TRACE cannot be written");
  close(fd);

  struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO | SA_NODEFER};
  if (sigaction(SIGSYS, &action, NULL)) die("no handler can be set");
  uint64_t end = (uint64_t)(uintptr_t)gate_end;
  struct sock_filter filter[8 + 2 * (CALLS + 1) + 1] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)end, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(end >> 32), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
  };
  unsigned short length = 8;
  for (int i = 0; i <= CALLS; i++) {
    int number = i < CALLS ? calls[i].number : SYS_exit_group;
    filter[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                    (uint32_t)number, 0, 1);
    filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  }
  filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {.len = length, .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
    die("this machine does not permit seccomp filters, without which no failure can be tried");
}
