namespace HangTriage.Reports.Graph;

/// <summary>An arrow of the picture.</summary>
/// <param name="From">The index of the node that waits, or of what is held.</param>
/// <param name="To">The index of the node that it waits for, or of who holds it.</param>
/// <param name="Text">What stands beside it.</param>
internal sealed record PictureEdge(int From, int To, string Text)
{
    /// <summary>Other steps, which are not drawn, lie between the two.</summary>
    public bool IsIndirect { get; init; }
}
