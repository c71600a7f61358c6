using HangTriage.Tests.EndToEnd.Layers.Example.Lower;

namespace HangTriage.Tests.EndToEnd.Layers.Example.Upper;

internal static class Attic
{
    public static int Height { get; } = Enumerable.Range(0, 1).Select(_ => Cellar.Depth).Sum();
}
