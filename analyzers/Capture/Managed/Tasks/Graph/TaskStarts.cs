namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>Async methods, by their boxes, that matter without a thread that blocks on them.</summary>
/// <param name="InCircles">They await each other.</param>
/// <param name="Holders">They have what threads wait for.</param>
internal sealed record TaskStarts(IReadOnlyList<ulong> InCircles, IReadOnlyList<ulong> Holders)
{
    public bool IsEmpty => InCircles.Count == 0 && Holders.Count == 0;
}
