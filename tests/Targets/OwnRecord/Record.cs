using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using System.Globalization;

namespace OwnRecord;

/// <summary>What the runtime tells this process of itself, by the way that debuggers and recorders do not use.</summary>
internal sealed class Record : EventListener
{
    private const EventKeywords Wanted = (EventKeywords)(0x1 | 0x4000 | 0x10000 | 0x40000000000);
    private const int Starvation = 6;

    private readonly ConcurrentQueue<EventWrittenEventArgs> _events = new();
    private readonly ConcurrentDictionary<long, bool> _ended = new();
    private readonly ConcurrentDictionary<long, int> _begun = new();
    private int _starvations;

    public int Starvations => _starvations;

    /// <summary>The thread's wait for a lock has ended, and all events before that are here.</summary>
    public bool HasEnded(long thread) => _ended.ContainsKey(thread);

    /// <summary>How many waits for a lock the thread has begun.</summary>
    public int BegunBy(long thread) => _begun.GetValueOrDefault(thread);

    /// <summary>Prints one line for each count of what came since the time; of waits those of the threads.</summary>
    public void Write(DateTime since, ICollection<long> threads, TextWriter output)
    {
        EventWrittenEventArgs[] events = [.. _events.Where(one => one.TimeStamp >= since)];
        EventWrittenEventArgs[] own = [.. events.Where(one => threads.Contains(one.OSThreadId))];
        foreach (var waits in own.Where(one => one.EventName!.StartsWith("ContentionStart", StringComparison.Ordinal)).GroupBy(one => (one.OSThreadId, Owner: Number(one, "LockOwnerThreadID"))))
        {
            output.WriteLine($"contention 0x{waits.Key.OSThreadId:x} 0x{waits.Key.Owner:x} {waits.Count()}");
        }

        foreach (var waits in own.Where(one => one.EventName == "WaitHandleWaitStart").GroupBy(one => one.OSThreadId))
        {
            output.WriteLine($"wait 0x{waits.Key:x} {waits.Count()}");
        }

        output.WriteLine($"starvations {events.Count(IsStarvation)}");
        output.WriteLine($"suspensions {events.Count(IsSuspension)}");
    }

    /// <summary>Prints what there was since the process began of that which the runtime also does by itself.</summary>
    public void WriteAll(TextWriter output)
    {
        output.WriteLine($"all-starvations {_events.Count(IsStarvation)}");
        output.WriteLine($"all-suspensions {_events.Count(IsSuspension)}");
    }

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == "Microsoft-Windows-DotNETRuntime")
        {
            EnableEvents(eventSource, EventLevel.Verbose, Wanted);
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        _events.Enqueue(eventData);
        if (IsStarvation(eventData))
        {
            Interlocked.Increment(ref _starvations);
        }
        else if (eventData.EventName is { } name && name.StartsWith("Contention", StringComparison.Ordinal))
        {
            if (name.StartsWith("ContentionStop", StringComparison.Ordinal))
            {
                _ended.TryAdd(eventData.OSThreadId, true);
            }
            else if (name.StartsWith("ContentionStart", StringComparison.Ordinal))
            {
                _begun.AddOrUpdate(eventData.OSThreadId, 1, (_, count) => count + 1);
            }
        }
    }

    private static bool IsStarvation(EventWrittenEventArgs one)
        => one.EventName == "ThreadPoolWorkerThreadAdjustmentAdjustment" && Number(one, "Reason") == Starvation;

    private static bool IsSuspension(EventWrittenEventArgs one)
        => one.EventName is { } name && name.StartsWith("GCSuspendEEBegin", StringComparison.Ordinal) && Number(one, "Reason") is 1 or 6;

    private static ulong Number(EventWrittenEventArgs one, string field)
        => one.PayloadNames!.IndexOf(field) is >= 0 and int at ? Convert.ToUInt64(one.Payload![at], CultureInfo.InvariantCulture) : 0;
}
