namespace HangTriage.Facts.Calls;

/// <summary>
/// The system calls of Linux that a thread can stay in, with their numbers on x64, which never change
/// (arch/x86/entry/syscalls/syscall_64.tbl). What they do and which argument is a timeout is in section 2 of the manual.
/// </summary>
public static class LinuxCalls
{
    private const string Manual = "the kernel's syscall_64.tbl, and section 2 of the manual";

    public static CallTable Table { get; } = new(
    [
        Row(24, "sched_yield", CallMeaning.Yields),
        Row(35, "nanosleep", CallMeaning.Sleeps, CallEnd.ByItself),
        Row(230, "clock_nanosleep", CallMeaning.Sleeps, CallEnd.ByItself),
        Row(202, "futex", CallMeaning.WaitsForObject, CallEnd.ByOperation, 4),
        Row(449, "futex_waitv", CallMeaning.WaitsForObject, CallEnd.UnlessNull, 4),
        Row(34, "pause", CallMeaning.WaitsForObject, CallEnd.Never),
        Row(130, "rt_sigsuspend", CallMeaning.WaitsForObject, CallEnd.Never),
        Row(128, "rt_sigtimedwait", CallMeaning.WaitsForObject, CallEnd.UnlessNull, 3),
        Row(65, "semop", CallMeaning.WaitsForObject),
        Row(220, "semtimedop", CallMeaning.WaitsForObject, CallEnd.UnlessNull, 4),
        Row(61, "wait4", CallMeaning.WaitsForObject),
        Row(247, "waitid", CallMeaning.WaitsForObject),
        Row(73, "flock", CallMeaning.WaitsForObject),
        Row(72, "fcntl", CallMeaning.WaitsForObject),
        Row(0, "read", CallMeaning.WaitsForIo),
        Row(17, "pread64", CallMeaning.WaitsForIo),
        Row(19, "readv", CallMeaning.WaitsForIo),
        Row(295, "preadv", CallMeaning.WaitsForIo),
        Row(1, "write", CallMeaning.WaitsForIo),
        Row(18, "pwrite64", CallMeaning.WaitsForIo),
        Row(20, "writev", CallMeaning.WaitsForIo),
        Row(296, "pwritev", CallMeaning.WaitsForIo),
        Row(257, "openat", CallMeaning.WaitsForIo),
        Row(74, "fsync", CallMeaning.WaitsForIo),
        Row(75, "fdatasync", CallMeaning.WaitsForIo),
        Row(7, "poll", CallMeaning.WaitsForIo, CallEnd.UnlessNegative, 3),
        Row(271, "ppoll", CallMeaning.WaitsForIo, CallEnd.UnlessNull, 3),
        Row(23, "select", CallMeaning.WaitsForIo, CallEnd.UnlessNull, 5),
        Row(270, "pselect6", CallMeaning.WaitsForIo, CallEnd.UnlessNull, 5),
        Row(232, "epoll_wait", CallMeaning.WaitsForIo, CallEnd.UnlessNegative, 4),
        Row(281, "epoll_pwait", CallMeaning.WaitsForIo, CallEnd.UnlessNegative, 4),
        Row(441, "epoll_pwait2", CallMeaning.WaitsForIo, CallEnd.UnlessNull, 4),
        Row(42, "connect", CallMeaning.WaitsForIo),
        Row(43, "accept", CallMeaning.WaitsForIo),
        Row(288, "accept4", CallMeaning.WaitsForIo),
        Row(44, "sendto", CallMeaning.WaitsForIo),
        Row(46, "sendmsg", CallMeaning.WaitsForIo),
        Row(307, "sendmmsg", CallMeaning.WaitsForIo),
        Row(45, "recvfrom", CallMeaning.WaitsForIo),
        Row(47, "recvmsg", CallMeaning.WaitsForIo),
        Row(299, "recvmmsg", CallMeaning.WaitsForIo),
        Row(69, "msgsnd", CallMeaning.WaitsForIo),
        Row(70, "msgrcv", CallMeaning.WaitsForIo),
        Row(208, "io_getevents", CallMeaning.WaitsForIo),
        Row(426, "io_uring_enter", CallMeaning.WaitsForIo),
    ]);

    private static KnownCall Row(uint number, string name, CallMeaning meaning, CallEnd end = CallEnd.Unknown, int timeoutArgument = 0)
        => new(name, meaning, Manual) { Number = number, End = end, TimeoutArgument = timeoutArgument };
}
