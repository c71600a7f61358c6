using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>The words for what a loop waits for.</summary>
internal static class PollText
{
    private const int MostNamed = 3;

    /// <summary>As "until SpinGate._taken changes"; null where it looks at no field.</summary>
    public static string? Of(PollFacts poll)
        => (poll.Traits & PollTraits.AfterFailure) != 0 && poll.Calls.Count > 0 ? $"until {Call(poll.Calls[0])} fails no more"
            : poll.EndsByCollection() ? "until the object of a WeakReference is collected"
            : poll is { Fields.Count: 0, Calls.Count: > 0 } ? $"until {Call(poll.Calls[0])} gives another answer"
            : poll.Fields.Count == 0 ? null
            : $"until {string.Join(" or ", poll.Fields.Take(MostNamed).Select(Field))}{(poll.Fields.Count > MostNamed ? " or another field" : string.Empty)} changes";

    private static string Call(string method) => MethodText.Short(method.Replace("..ctor", string.Empty, StringComparison.Ordinal));

    /// <summary>As "SpinGate._taken", or "the variable done".</summary>
    public static string Field(string field) => field.Contains('.', StringComparison.Ordinal) ? MethodText.Short(field) : $"the variable {field}";
}
