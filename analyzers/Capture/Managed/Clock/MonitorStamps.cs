using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Reading;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Clock;

/// <summary>
/// When the runtime's native monitors began to starve those who wait: m_waiterStarvationStartTimeMs of AwareLock, which is set when a first
/// waiter comes and when a waiter gets the lock while others go on waiting.
/// </summary>
/// <remarks>
/// dotnet/runtime: syncblk.h, syncblk.inl; tried on .NET 8, 9 and 10 on x64. What waits has the lock's address on its stack, below the
/// first managed frame.
/// </remarks>
internal sealed class MonitorStamps(ClrRuntime runtime, IReadOnlyList<ClrThread> threads, ThreadFrames walked, MonitorTable monitors)
{
    private const int MostWaitersAsked = 4;

    // Most words of a stack are no monitor's address: what one of them leads to is not needed.
    private readonly IDataReader _reader = IWatchedReader.Guessing(runtime.DataTarget.DataReader);

    private readonly Dictionary<uint, ClrThread> _threads = threads
        .DistinctBy(thread => thread.OSThreadId).ToDictionary(thread => thread.OSThreadId);

    /// <summary>The monitors of this runtime are laid out as described.</summary>
    public static bool AreKept(ClrRuntime runtime)
        => runtime.ClrInfo.Flavor == ClrFlavor.Core && runtime.DataTarget.DataReader.PointerSize == sizeof(ulong)
            && RuntimeDescription.Of(runtime.ClrInfo).Version.Is(version => version.Split('.')[0] is "8" or "9" or "10");

    /// <param name="monitor">The object that is locked.</param>
    /// <param name="waiters">Those who wait to enter it.</param>
    /// <returns>Milliseconds of the runtime's clock, the lower 32 bits; null where none was found.</returns>
    public uint? Of(Address monitor, IEnumerable<ThreadId> waiters)
    {
        foreach (ThreadId waiter in waiters.Take(MostWaitersAsked))
        {
            if (monitors.ByObject(monitor.Value) is { } entry && _threads.TryGetValue(waiter.Value, out ClrThread? thread))
            {
                uint[] found =
                    [.. NativeWords.Of(thread, walked.Of(thread)).Select(word => StampAt(word, entry.Index)).OfType<uint>().Distinct()];
                if (found.Length == 1)
                {
                    return found[0];
                }
            }
        }

        return null;
    }

    private uint? StampAt(ulong address, int block)
        => address % sizeof(ulong) == 0 && NativeMonitor.Read(_reader, address, null) is { IsHeld: true, Waiters: > 0 } native
            && native.SyncBlockIndex == block && _threads.ContainsKey(native.OwnerOsId)
            && _reader.Read(address + NativeMonitor.StarvationAt, out uint stamp)
                ? stamp
                : null;
}
