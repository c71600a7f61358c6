using HangTriage.Facts;
using HangTriage.Reports.Requests;
using HangTriage.Rules;

namespace HangTriage.Reports.Json;

/// <summary>Turns the requests under way into parts of the JSON report.</summary>
internal static class PartsOfRequests
{
    private const int MostNamed = 16;

    /// <summary>Null where there are none, and where they were not read.</summary>
    public static IReadOnlyList<RequestPart>? Of(ProcessSnapshot snapshot)
        => ShownRequests.Of(snapshot) is { Count: > 0 } groups ? [.. groups.Select(Of)] : null;

    /// <summary>Null where no request is known to wait in what was judged.</summary>
    public static ImpactPart? ImpactOf(TriageResult result)
        => ShownRequests.Behind(result) is { Count: > 0 } requests
            ? new ImpactPart(
                requests.Count,
                PartsOfJudgement.Of(requests.Select(request => request.Since).FirstOrDefault(age => age is not null)),
                RequestText.Impact(result)!)
            : null;

    private static RequestPart Of(RequestGroup group) => new()
    {
        Kind = JsonNames.Of(group.Kind),
        State = JsonNames.Of(group.State),
        Method = group.Method,
        Route = group.Route,
        Count = group.Count,
        Since = PartsOfJudgement.Of(group.Oldest),
        Youngest = PartsOfJudgement.Of(group.Youngest),
        Threads = Some(group.Requests.Select(request => request.Thread?.ToString())),
        Flows = Some(group.Requests.Select(request => request.Flow?.ToString())),
    };

    private static IReadOnlyList<string> Some(IEnumerable<string?> names)
        => [.. names.OfType<string>().Distinct(StringComparer.Ordinal).Take(MostNamed)];
}
