using System.Globalization;

namespace HangTriage.Tests.Support.States;

/// <summary>What ClrMD alone says of a dump: tests/Lab/tools/ManagedFrames --state, read back.</summary>
/// <param name="IsHeapWhole">No garbage collection is in the middle of its work.</param>
/// <param name="Threads">The managed threads that have not ended.</param>
/// <param name="Locks">The monitors that are held and that a thread has waited for.</param>
public sealed record StateFacts(bool IsHeapWhole, IReadOnlyList<StateThread> Threads, IReadOnlyList<StateLock> Locks)
{
    /// <summary>The dumps that the lines speak of, in order; one whose reading was broken off is not among them.</summary>
    public static IReadOnlyList<StateFacts> Parse(IEnumerable<string> lines)
    {
        List<StateFacts> dumps = [];
        bool isWhole = false;
        List<StateThread> threads = [];
        List<StateLock> locks = [];
        foreach (string[] fields in lines.Select(line => line.TrimEnd('\r').Split('\t')))
        {
            switch (fields)
            {
                case ["dump", _, string heap]:
                    (isWhole, threads, locks) = (heap == "heap", [], []);
                    break;
                case ["thread", string id, string role, string name]:
                    threads.Add(new StateThread(Hex(id), role, name, []));
                    break;
                case ["frame", string method, .. string[] instruction]:
                    threads[^1] = threads[^1] with
                    {
                        Frames = [.. threads[^1].Frames, method],
                        Instructions = [.. threads[^1].Instructions, .. instruction.Select(HexLong)],
                    };
                    break;
                case ["lock", string type, string owner, string waiters]:
                    locks.Add(new StateLock(type, Hex(owner), int.Parse(waiters, CultureInfo.InvariantCulture)));
                    break;
                case ["end"]:
                    dumps.Add(new StateFacts(isWhole, threads, locks));
                    break;
            }
        }

        return dumps;
    }

    private static ulong HexLong(string text) => ulong.Parse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    private static uint Hex(string text) => uint.Parse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
}
