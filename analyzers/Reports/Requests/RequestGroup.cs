using HangTriage.Facts;
using HangTriage.Facts.Time;

namespace HangTriage.Reports.Requests;

/// <summary>Requests of one name that have come equally far.</summary>
/// <param name="Kind">Served or sent.</param>
/// <param name="State">How far they have come.</param>
/// <param name="Method">As <see cref="RequestFacts.Method"/>.</param>
/// <param name="Route">As <see cref="RequestFacts.Route"/>.</param>
/// <param name="Requests">They themselves, the oldest first.</param>
internal sealed record RequestGroup(
    RequestKind Kind, RequestState State, string? Method, string? Route, IReadOnlyList<RequestFacts> Requests)
{
    public int Count => Requests.Count;

    /// <summary>Null where the age of none of them is known.</summary>
    public Age? Oldest => Requests.Select(request => request.Since).FirstOrDefault(age => age is not null);

    public Age? Youngest => Requests.Count == 1 ? null : Requests.Select(request => request.Since).LastOrDefault(age => age is not null);

    /// <summary>The largest first.</summary>
    public static IReadOnlyList<RequestGroup> Of(IEnumerable<RequestFacts> requests)
        =>
        [
            .. requests.GroupBy(request => (request.Kind, request.State, request.Method, request.Route))
                .Select(group => new RequestGroup(group.Key.Kind, group.Key.State, group.Key.Method, group.Key.Route, [.. group]))
                .OrderBy(group => group.Kind).ThenByDescending(group => group.Count)
                .ThenByDescending(group => group.Oldest?.AtLeast ?? TimeSpan.MinValue)
                .ThenBy(group => group.Route, StringComparer.Ordinal).ThenBy(group => group.Method, StringComparer.Ordinal),
        ];
}
