using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <content>Loops in which threads and async methods wait.</content>
public sealed partial class SnapshotBuilder
{
    private readonly List<PollFacts> _polls = [];
    private readonly List<QueueReaderFacts> _readers = [];

    /// <summary>A loop that the fields alone end, or that fits the traits.</summary>
    public SnapshotBuilder Polls(PollFacts poll)
    {
        _hasManaged = true;
        _polls.Add(poll);
        return this;
    }

    /// <summary>A thread in a loop of that method that looks at a field which only these threads can change.</summary>
    public SnapshotBuilder Polls(uint thread, string method, string field, params uint[] bringers)
        => Polls(PollOf(method, field, bringers) with { Thread = new ThreadId(thread) });

    /// <summary>A thread or an async method that takes items from a bounded queue, and is busy with one.</summary>
    public SnapshotBuilder ReadsQueue(QueueReaderFacts reader)
    {
        _hasManaged = true;
        _readers.Add(reader);
        return this;
    }

    public static PollFacts PollOf(string method, string field, params uint[] bringers) => new()
    {
        Method = method,
        Fields = [field],
        Calls = [],
        Traits = PollTraits.HasExit,
        Bringers = Known.Derived(new PollBringers
        {
            Writers = [field.Replace("._", ".Set", StringComparison.Ordinal)],
            Threads = [.. bringers.Select(bringer => new ThreadId(bringer))],
            IsByFlow = false,
            IsByDelegate = false,
            IsByCallback = false,
        }),
    };
}
