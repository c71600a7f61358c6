using HangTriage.Capture.Windows.Locks;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Threads;

/// <summary>
/// For how long a thread in NtDelayExecution sleeps: its second argument points to units of 100 ns, negative for a span from
/// now on. SleepEx keeps them on the thread's own stack; nothing else is believed.
/// </summary>
internal static class SleepLength
{
    private const string What = "length of the sleep";
    private const long ForEver = long.MinValue;

    public static Known<TimeSpan> Read(LockContext context, ThreadView thread, Known<uint> number)
    {
        if (!CallArguments.TryRead(context, thread, number, out _, out ulong span))
        {
            return Known.Unknown<TimeSpan>(What, "the arguments of the system call are not kept");
        }

        // Wine's SleepEx passes none forever.
        if (span == 0 && context.Loader.IsWine)
        {
            return Known.Derived(Timeout.InfiniteTimeSpan);
        }

        return !thread.Bounds.Contains(span) || !context.Memory.TryReadUInt64(span, out ulong units)
            ? Known.Unknown<TimeSpan>(What, "it is not on the thread's stack")
            : unchecked((long)units) switch
            {
                ForEver => Known.Derived(Timeout.InfiniteTimeSpan),
                > 0 => Known.Unknown<TimeSpan>(What, "it ends at a time of day"),
                long ticks => Known.Derived(TimeSpan.FromTicks(-ticks)),
            };
    }
}
