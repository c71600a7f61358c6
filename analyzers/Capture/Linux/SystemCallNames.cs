using System.Collections.Frozen;

namespace HangTriage.Capture.Linux;

/// <summary>Names of the system calls of x64 Linux that threads stay in, by the kernel's table (arch/x86/entry/syscalls/syscall_64.tbl), whose numbers never change.</summary>
internal static class SystemCallNames
{
    private static readonly FrozenDictionary<uint, string> s_names = new Dictionary<uint, string>
    {
        [0] = "read",
        [1] = "write",
        [7] = "poll",
        [17] = "pread64",
        [18] = "pwrite64",
        [19] = "readv",
        [20] = "writev",
        [23] = "select",
        [24] = "sched_yield",
        [34] = "pause",
        [35] = "nanosleep",
        [42] = "connect",
        [43] = "accept",
        [44] = "sendto",
        [45] = "recvfrom",
        [46] = "sendmsg",
        [47] = "recvmsg",
        [61] = "wait4",
        [65] = "semop",
        [69] = "msgsnd",
        [70] = "msgrcv",
        [72] = "fcntl",
        [73] = "flock",
        [74] = "fsync",
        [75] = "fdatasync",
        [128] = "rt_sigtimedwait",
        [130] = "rt_sigsuspend",
        [202] = "futex",
        [208] = "io_getevents",
        [220] = "semtimedop",
        [230] = "clock_nanosleep",
        [232] = "epoll_wait",
        [247] = "waitid",
        [257] = "openat",
        [270] = "pselect6",
        [271] = "ppoll",
        [281] = "epoll_pwait",
        [288] = "accept4",
        [295] = "preadv",
        [296] = "pwritev",
        [299] = "recvmmsg",
        [307] = "sendmmsg",
        [426] = "io_uring_enter",
        [441] = "epoll_pwait2",
        [449] = "futex_waitv",
    }.ToFrozenDictionary();

    /// <summary>Null for a number that is not here.</summary>
    public static string? Of(uint number) => s_names.GetValueOrDefault(number);
}
