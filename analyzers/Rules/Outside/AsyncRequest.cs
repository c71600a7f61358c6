using HangTriage.Facts;

namespace HangTriage.Rules.Outside;

/// <summary>Async methods that wait for somebody outside who owes them something.</summary>
/// <param name="Group">Those that wait.</param>
/// <param name="Socket">Where the answer has to come from; null where that was not seen, or is no socket.</param>
internal sealed record AsyncRequest(FlowGroup Group, SocketFacts? Socket)
{
    /// <summary>The child process whose output the answer has to come from; null where it is not that of the only child.</summary>
    public ChildFacts? Child { get; init; }

    /// <summary>Those that wait for room in a queue which these would empty.</summary>
    public IReadOnlyList<FlowGroup> Behind { get; init; } = [];
}
