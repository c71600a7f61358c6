using HangTriage.Facts.Time;

namespace HangTriage.Facts;

/// <summary>A request over HTTP that is under way.</summary>
public sealed record RequestFacts
{
    public required RequestKind Kind { get; init; }

    public required RequestState State { get; init; }

    /// <summary>"GET"; null for one that HTTP does not define, and where that is not known.</summary>
    public string? Method { get; init; }

    /// <summary>
    /// For <see cref="RequestKind.Served"/>: the template of the route that it has been given to, "/orders/{id}". Null where it was given
    /// to none; its path and query are never read.
    /// </summary>
    public string? Route { get; init; }

    /// <summary>How long it has been under way; null where nothing tells.</summary>
    public Age? Since { get; init; }

    /// <summary>The thread that handles it; null where none does.</summary>
    public ThreadId? Thread { get; init; }

    /// <summary>
    /// The async method of the program's that it has come to, as <see cref="FlowGroup.Sample"/> of the group that it is in; null where it
    /// is in none.
    /// </summary>
    public Address? Flow { get; init; }
}
