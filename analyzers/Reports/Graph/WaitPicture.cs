namespace HangTriage.Reports.Graph;

/// <summary>Who waits for whom, as a graph to draw: the chain or circle of the verdict and those that wait for it, crowds as one node.</summary>
/// <param name="Nodes">The boxes, in the order of the chain.</param>
/// <param name="Edges">The arrows between them.</param>
internal sealed record WaitPicture(IReadOnlyList<PictureNode> Nodes, IReadOnlyList<PictureEdge> Edges)
{
    /// <summary>What is left out, as "12 groups of waiting threads (40 threads)"; null where all is drawn.</summary>
    public string? Omitted { get; init; }
}
