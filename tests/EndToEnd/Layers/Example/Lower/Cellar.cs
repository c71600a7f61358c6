using HangTriage.Tests.EndToEnd.Layers.Example.Upper;

namespace HangTriage.Tests.EndToEnd.Layers.Example.Lower;

internal static class Cellar
{
    public static int Depth { get; } = Environment.TickCount == 0 ? Attic.Height : 1;
}
