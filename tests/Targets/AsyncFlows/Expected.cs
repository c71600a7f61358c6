using System.Runtime.CompilerServices;

namespace AsyncFlows;

/// <summary>One group of suspended flows, printed as the capture should see it.</summary>
/// <param name="Method">The async method.</param>
/// <param name="Kind">What it waits for.</param>
/// <param name="Count">How many flows.</param>
internal sealed record Expected(string Method, string Kind, int Count = 1)
{
    private static readonly Dictionary<string, int> s_lines = [];

    /// <summary>The field that holds what is awaited; "-" where none is asked for.</summary>
    public string Label { get; init; } = "-";

    /// <summary>Free entries and the most, of a semaphore; items and capacity of a queue.</summary>
    public string Counts { get; init; } = "-";

    /// <summary>The methods that await it, the next one first.</summary>
    public string By { get; init; } = "-";

    public string State { get; init; } = "Suspended";

    /// <summary>"timer" and "token", where they end the wait.</summary>
    public string Ends { get; init; } = "-";

    public string Root { get; init; } = "-";

    /// <summary>Notes the line that the await stands on, by the name of its method.</summary>
    public static T At<T>(T awaited, [CallerMemberName] string method = "", [CallerLineNumber] int line = 0)
    {
        s_lines[method] = line;
        return awaited;
    }

    public override string ToString()
        => $"method={Method} kind={Kind} count={Count} line={s_lines.GetValueOrDefault(Method[(Method.LastIndexOf('.') + 1)..], -1)} "
            + $"label={Label} counts={Counts} by={By} state={State} ends={Ends} root={Root}";
}
