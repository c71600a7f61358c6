using HangTriage.Facts;

namespace HangTriage.Reports.Graph;

/// <summary>A box of the picture.</summary>
/// <param name="Kind">Decides its shape.</param>
/// <param name="Lines">What stands in it, the name first.</param>
internal sealed record PictureNode(PictureNodeKind Kind, IReadOnlyList<string> Lines)
{
    /// <summary>Where a click leads: the stack of this thread; null for other nodes.</summary>
    public ThreadId? Thread { get; init; }

    public bool IsCulprit { get; init; }
}
