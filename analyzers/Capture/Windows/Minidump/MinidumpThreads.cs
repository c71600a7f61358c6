using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>The ThreadList stream, or ThreadExList where only that is there, joined with times and names.</summary>
internal sealed class MinidumpThreads
{
    private const uint HighestSuspendCount = 127; // MAXIMUM_SUSPEND_COUNT; a writer that cannot suspend the thread puts -1

    private readonly List<MinidumpStream> _contexts = [];

    public required Known<IReadOnlyList<WindowsThread>> List { get; init; }

    /// <summary>Reads the threads, and adds the stack memory that they list to the dump's memory.</summary>
    public static MinidumpThreads Read(
        MappedFile file, MinidumpDirectory directory, MinidumpMemory memory, bool is32Bit, CaptureContext context, List<Gap> gaps)
    {
        int recordSize = MinidumpThread.Size;
        if (!directory.TryGet(MinidumpStreamType.ThreadList, out MinidumpStream stream))
        {
            recordSize = MinidumpThread.ExtendedSize;
            if (!directory.TryGet(MinidumpStreamType.ThreadExList, out stream))
            {
                return new MinidumpThreads
                {
                    List = Known.Unknown<IReadOnlyList<WindowsThread>>("threads", "the dump has no ThreadList stream"),
                };
            }
        }

        MinidumpThreadTimes times = MinidumpThreadTimes.Read(file, directory, context.Limits, gaps);
        MinidumpThreadNames names = MinidumpThreadNames.Read(file, directory, context.Limits, gaps);
        MinidumpList list = MinidumpList.Read(file, stream, recordSize, context.Limits.Threads, "threads", isJudged: true, gaps);
        List<WindowsThread> threads = new(list.Count);
        MinidumpThreads result = new() { List = Known.Read<IReadOnlyList<WindowsThread>>(threads) };
        Span<byte> record = stackalloc byte[MinidumpThread.Size];
        ulong mask = is32Bit ? uint.MaxValue : ulong.MaxValue;
        for (int i = 0; i < list.Count && list.TryRead(i, record); i++)
        {
            context.Cancellation.ThrowIfCancellationRequested();
            MinidumpThread thread = MinidumpThread.Parse(record);
            // A full-memory dump keeps stacks in its memory list and states no place for them here.
            if (thread.Stack.Offset != 0)
            {
                memory.AddStack(thread.StackStart & mask, thread.Stack.Size, thread.Stack.Offset);
            }

            result._contexts.Add(thread.Context);
            threads.Add(Describe(thread, i, mask, names, times));
        }

        return result;
    }

    private static WindowsThread Describe(MinidumpThread thread, int index, ulong mask, MinidumpThreadNames names, MinidumpThreadTimes times)
    {
        ulong stackStart = thread.StackStart & mask;
        return new WindowsThread
        {
            Id = thread.Id,
            Index = index,
            Teb = thread.Teb & mask,
            SuspendCount = thread.SuspendCount <= HighestSuspendCount ? thread.SuspendCount : null,
            Name = names.Name(thread.Id),
            Cpu = times.Cpu(thread.Id),
            StartedAt = times.StartedAt(thread.Id),
            StartAddress = times.StartAddress(thread.Id),
            Stack = thread.Stack.Size == 0
                ? null
                : new AddressRange(stackStart, stackStart + Math.Min(thread.Stack.Size, mask - stackStart)),
        };
    }

    /// <summary>Where the thread's CONTEXT lies in the file.</summary>
    public MinidumpStream ContextOf(int index) => index >= 0 && index < _contexts.Count ? _contexts[index] : default;
}
