using System.Globalization;
using HangTriage.Facts;
using HangTriage.Facts.Time;
using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Requests;

/// <summary>The words for requests: by method and route, never by path.</summary>
internal static class RequestText
{
    private const int MostNamed = 3;

    /// <summary>
    /// "36 requests wait, the oldest since at least 4 min 10 s: 30 x GET /orders/{id}, 6 x POST /pay"; null where none is known to wait in
    /// what was judged.
    /// </summary>
    public static string? Impact(TriageResult result)
        => ShownRequests.Behind(result) is { Count: > 0 } requests
            ? $"{Count.Waiting(requests.Count, "request")}{Age(requests)}: {Names(RequestGroup.Of(requests))}"
            : null;

    /// <summary>"2 x GET /orders/{id}, for at least 25 s to 4 min 10 s; the answer has begun".</summary>
    public static string Of(RequestGroup group) => Crowd(group) + Age(group) + group.State switch
    {
        RequestState.Answering => "; the answer has begun",
        RequestState.Upgraded => "; it speaks another protocol now, as web sockets do",
        _ => string.Empty,
    };

    /// <summary>"Requests under way (7, the oldest for at least 4 min 10 s)": the oldest that nothing has been answered to.</summary>
    public static string Heading(RequestsFacts facts)
    {
        TimeSpan oldest = facts.List.Where(request => request.State == RequestState.Unanswered)
            .Select(request => request.Since?.AtLeast ?? TimeSpan.Zero).DefaultIfEmpty().Max();
        string age = oldest == TimeSpan.Zero ? string.Empty : $", the oldest for at least {Durations.Of(oldest)}";
        return string.Create(CultureInfo.InvariantCulture, $"Requests under way ({facts.List.Count + facts.Omitted}{age})");
    }

    /// <summary>"GET /orders/{id}"; "GET by HttpClient".</summary>
    public static string Name(RequestGroup group) => group.Kind == RequestKind.Sent
        ? $"{group.Method ?? "request"} by HttpClient"
        : $"{group.Method ?? "request"} {group.Route ?? "without a route"}";

    private static string Names(IReadOnlyList<RequestGroup> groups)
    {
        int left = groups.Skip(MostNamed).Sum(group => group.Count);
        string more = left == 0 ? string.Empty : string.Create(CultureInfo.InvariantCulture, $", {left} more");
        return string.Join(", ", groups.Take(MostNamed).Select(Crowd)) + more;
    }

    private static string Crowd(RequestGroup group)
        => group.Count == 1 ? Name(group) : string.Create(CultureInfo.InvariantCulture, $"{group.Count} x {Name(group)}");

    private static string Age(IReadOnlyList<RequestFacts> requests)
        => requests.Select(request => request.Since?.AtLeast ?? TimeSpan.Zero).Max() is var oldest && oldest == TimeSpan.Zero ? string.Empty
            : requests.Count == 1 ? $" since at least {Durations.Of(oldest)}"
            : $", the oldest since at least {Durations.Of(oldest)}";

    private static string Age(RequestGroup group)
    {
        TimeSpan[] known = [.. group.Requests.Select(request => request.Since?.AtLeast ?? TimeSpan.Zero).Where(age => age > TimeSpan.Zero)];
        return known.Length == 0 ? string.Empty
            : known.Length < group.Count ? $", one of them for at least {Durations.Of(known.Max())}"
            : known.Max() - known.Min() > TimeSpan.FromSeconds(1)
                ? $", for at least {Durations.Of(known.Min())} to {Durations.Of(known.Max())}"
            : $", for at least {Durations.Of(known.Min())}";
    }
}
