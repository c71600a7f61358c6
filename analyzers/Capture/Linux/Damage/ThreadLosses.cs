using System.Globalization;
using HangTriage.Capture.Managed;
using HangTriage.Capture.Managed.Snapshots;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Damage;

/// <summary>Compares the threads that a .NET runtime has with those that its process's core has.</summary>
internal static class ThreadLosses
{
    /// <param name="reader">Gives registers.</param>
    /// <param name="ids">The threads of the core.</param>
    /// <param name="managed">Those of the runtime; null where it was not read.</param>
    public static IEnumerable<Gap> Find(IDataReader reader, IReadOnlyCollection<uint> ids, ManagedReading? managed)
    {
        ThreadId[] known = [.. (managed?.Threads.Keys ?? []).OrderBy(id => id.Value)];
        HashSet<uint> listed = [.. ids];
        // While a process ends, the runtime keeps the threads that have ended meanwhile in its list (tried on .NET 8, 9 and 10).
        if (!IsEnding(managed) && Loss("threads", [.. known.Where(id => !listed.Contains(id.Value))], "the runtime has and the input does not list") is { } missing)
        {
            yield return missing;
        }

        ThreadId[] lost = [.. known.Where(id => listed.Contains(id.Value) && ThreadRegisters.Of(reader, id.Value) is null or { Ip: 0, Sp: 0 })];
        if (ThreadRegisters.AreRead(reader.Architecture) && Loss("registers", lost, "have no registers in the input, or only zeros") is { } registers)
        {
            yield return registers;
        }
    }

    private static bool IsEnding(ManagedReading? managed)
        => managed is not null && managed.Facts.Locks.TryGet(out IReadOnlyList<LockFacts>? locks) && locks.Any(held => held.Id.Kind == LockKind.ExitHandlers);

    private static Gap? Loss(string what, ThreadId[] threads, string why) => threads.Length == 0 ? null
        : new Gap(what, string.Create(CultureInfo.InvariantCulture, $"{threads.Length} threads {why}; the first is {threads[0]}")) { IsLoss = true };
}
