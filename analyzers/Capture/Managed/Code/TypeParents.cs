namespace HangTriage.Capture.Managed.Code;

/// <summary>What a type derives from, by name, without what a generic one is made of.</summary>
/// <param name="Base">Its base type; null for an interface.</param>
/// <param name="Interfaces">What it implements: those of its base type only where it names them again.</param>
internal sealed record TypeParents(string? Base, IReadOnlyList<string> Interfaces)
{
    public static TypeParents None { get; } = new(null, []);
}
