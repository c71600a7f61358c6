using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// Which threads hold which ReaderWriterLockSlim for reading: each thread keeps a list of its own
/// (<c>ReaderWriterLockSlim.t_rwc</c>: lockID, readercount, next).
/// </summary>
internal sealed class ReaderCounts
{
    private const int LocksPerThread = 4_096;

    private readonly Dictionary<long, List<ThreadId>> _readers = [];
    private Gap? _gap;

    /// <summary>The threads that read under the lock of that number; a gap where not every thread's list could be read.</summary>
    public Known<List<ThreadId>> Of(long lockId)
        => _gap is null ? Known.Derived(_readers.GetValueOrDefault(lockId) ?? []) : Known<List<ThreadId>>.Unknown(_gap);

    public static ReaderCounts Read(ClrRuntime runtime, IReadOnlyList<ClrThread> threads, CaptureContext context)
    {
        ReaderCounts counts = new();
        // The type's home differs: the core library since .NET 7, System.Threading or System.Core before.
        ClrThreadStaticField? first = runtime.EnumerateModules()
            .Where(module => module.Name is { } name
                && (name.EndsWith("System.Private.CoreLib.dll", StringComparison.OrdinalIgnoreCase)
                    || name.EndsWith("System.Threading.dll", StringComparison.OrdinalIgnoreCase)
                    || name.EndsWith("System.Core.dll", StringComparison.OrdinalIgnoreCase)))
            .Select(module => module.GetTypeByName(DotNetTypes.ReaderWriterLockSlim))
            .FirstOrDefault(type => type is not null)?
            .ThreadStaticFields.FirstOrDefault(field => field.Name == "t_rwc");
        if (first is null)
        {
            counts._gap = new Gap("readers", "ReaderWriterLockSlim keeps no list of a known name in each thread");
            return counts;
        }

        foreach (ClrThread thread in threads)
        {
            context.Step();
            counts.Add(thread, first);
        }

        return counts;
    }

    private void Add(ClrThread thread, ClrThreadStaticField first)
    {
        ClrObject count = first.ReadObject(thread);
        for (int number = 0; !count.IsNull; number++)
        {
            if (number == LocksPerThread || count.Type?.GetFieldByName("readercount") is null)
            {
                _gap = new Gap("readers", $"the list of thread 0x{thread.OSThreadId:x} does not end, or is not in the input");
                return;
            }

            if (count.ReadField<int>("readercount") > 0)
            {
                long lockId = count.ReadField<long>("lockID");
                if (!_readers.TryGetValue(lockId, out List<ThreadId>? readers))
                {
                    _readers.Add(lockId, readers = []);
                }

                readers.Add(new ThreadId(thread.OSThreadId));
            }

            count = count.ReadObjectField("next");
        }
    }
}
