using HangTriage.Reports.Graph;

namespace HangTriage.Reports.Html;

/// <summary>A box with its place on the picture, in pixels.</summary>
/// <param name="Node">The box.</param>
/// <param name="Lines">Its text, cut into lines.</param>
/// <param name="Left">Of its left side.</param>
/// <param name="Top">Of its upper side.</param>
internal sealed record SvgNode(PictureNode Node, IReadOnlyList<SvgLine> Lines, int Left, int Top)
{
    public const int Width = 270;
    private const int LineHeight = 18;
    private const int Padding = 9;

    public int Height => HeightOf(Lines.Count);

    public int Middle => Left + (Width / 2);

    public int Right => Left + Width;

    public int Bottom => Top + Height;

    public static int HeightOf(int lines) => (lines * LineHeight) + (2 * Padding);

    /// <summary>Where the text of a line stands on.</summary>
    public int Baseline(int line) => Top + Padding + (line * LineHeight) + 13;
}
