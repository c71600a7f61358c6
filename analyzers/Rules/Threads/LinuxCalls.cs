using System.Collections.Frozen;

namespace HangTriage.Rules.Threads;

/// <summary>What the Linux system calls that a thread can stay in mean.</summary>
internal static class LinuxCalls
{
    private static readonly FrozenDictionary<string, ThreadActivity> s_systemCalls = new Dictionary<string, ThreadActivity>
    {
        ["sched_yield"] = ThreadActivity.Yielding,
        ["nanosleep"] = ThreadActivity.Sleeping,
        ["clock_nanosleep"] = ThreadActivity.Sleeping,
        ["futex"] = ThreadActivity.WaitsForObject,
        ["futex_waitv"] = ThreadActivity.WaitsForObject,
        ["pause"] = ThreadActivity.WaitsForObject,
        ["rt_sigsuspend"] = ThreadActivity.WaitsForObject,
        ["rt_sigtimedwait"] = ThreadActivity.WaitsForObject,
        ["semop"] = ThreadActivity.WaitsForObject,
        ["semtimedop"] = ThreadActivity.WaitsForObject,
        ["wait4"] = ThreadActivity.WaitsForObject,
        ["waitid"] = ThreadActivity.WaitsForObject,
        ["flock"] = ThreadActivity.WaitsForObject,
        ["fcntl"] = ThreadActivity.WaitsForObject,
        ["read"] = ThreadActivity.WaitsForIo,
        ["pread64"] = ThreadActivity.WaitsForIo,
        ["readv"] = ThreadActivity.WaitsForIo,
        ["preadv"] = ThreadActivity.WaitsForIo,
        ["write"] = ThreadActivity.WaitsForIo,
        ["pwrite64"] = ThreadActivity.WaitsForIo,
        ["writev"] = ThreadActivity.WaitsForIo,
        ["pwritev"] = ThreadActivity.WaitsForIo,
        ["openat"] = ThreadActivity.WaitsForIo,
        ["fsync"] = ThreadActivity.WaitsForIo,
        ["fdatasync"] = ThreadActivity.WaitsForIo,
        ["poll"] = ThreadActivity.WaitsForIo,
        ["ppoll"] = ThreadActivity.WaitsForIo,
        ["select"] = ThreadActivity.WaitsForIo,
        ["pselect6"] = ThreadActivity.WaitsForIo,
        ["epoll_wait"] = ThreadActivity.WaitsForIo,
        ["epoll_pwait"] = ThreadActivity.WaitsForIo,
        ["epoll_pwait2"] = ThreadActivity.WaitsForIo,
        ["connect"] = ThreadActivity.WaitsForIo,
        ["accept"] = ThreadActivity.WaitsForIo,
        ["accept4"] = ThreadActivity.WaitsForIo,
        ["sendto"] = ThreadActivity.WaitsForIo,
        ["sendmsg"] = ThreadActivity.WaitsForIo,
        ["sendmmsg"] = ThreadActivity.WaitsForIo,
        ["recvfrom"] = ThreadActivity.WaitsForIo,
        ["recvmsg"] = ThreadActivity.WaitsForIo,
        ["recvmmsg"] = ThreadActivity.WaitsForIo,
        ["msgsnd"] = ThreadActivity.WaitsForIo,
        ["msgrcv"] = ThreadActivity.WaitsForIo,
        ["io_getevents"] = ThreadActivity.WaitsForIo,
        ["io_uring_enter"] = ThreadActivity.WaitsForIo,
    }.ToFrozenDictionary(StringComparer.Ordinal);

    /// <summary>The state that a system call of that name stands for; null for other names.</summary>
    public static ThreadActivity? StateOf(string systemCall) => s_systemCalls.TryGetValue(systemCall, out ThreadActivity state) ? state : null;
}
