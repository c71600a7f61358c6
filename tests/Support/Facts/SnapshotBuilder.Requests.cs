using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <content>Requests over HTTP that are under way.</content>
public sealed partial class SnapshotBuilder
{
    private readonly List<RequestFacts> _requests = [];

    /// <summary>A client's request, as the web server's routes name it.</summary>
    public SnapshotBuilder Request(
        string? method, string? route, TimeSpan? since, uint? thread = null, ulong? flow = null,
        RequestState state = RequestState.Unanswered, RequestKind kind = RequestKind.Served)
    {
        _requests.Add(new RequestFacts
        {
            Kind = kind,
            State = state,
            Method = method,
            Route = route,
            Since = since is { } time ? Exactly(time, "noted by the web server") : null,
            Thread = thread is { } id ? new ThreadId(id) : null,
            Flow = flow is { } address ? new Address(address) : null,
        });
        return this;
    }
}
