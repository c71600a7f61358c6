using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <content>Threads at work.</content>
public sealed partial class SnapshotBuilder
{
    private readonly List<WorkFacts> _work = [];

    public SnapshotBuilder Works(WorkFacts work)
    {
        _hasManaged = true;
        _work.Add(work);
        return this;
    }

    /// <summary>A thread in these frames of the program's, the innermost first.</summary>
    public SnapshotBuilder Works(uint thread, params IReadOnlyList<WorkFrame> frames)
        => Works(new WorkFacts { Thread = new ThreadId(thread), Ip = frames[0].Ip, Frames = frames });

    /// <summary>A frame that has called another, in no loop.</summary>
    public static WorkFrame WorkFrame(string method, string state, ulong ip = 0x1000) => new()
    {
        Method = method,
        Ip = new Address(ip),
        IsPlaceKnown = true,
        IsCalledByProgram = true,
        Locals = state,
        Content = state,
    };
}
