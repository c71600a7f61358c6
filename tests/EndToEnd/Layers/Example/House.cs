using HangTriage.Tests.EndToEnd.Layers.Example.Upper;

namespace HangTriage.Tests.EndToEnd.Layers.Example;

/// <summary>Uses one side of the circle and is not part of it.</summary>
internal static class House
{
    public static int Height => Attic.Height;
}
