namespace HangTriage.Facts;

/// <summary>A test that has started and has not ended.</summary>
/// <param name="Name">Type and method, without arguments: "Shop.OrderTests.Posts". The method alone where nothing tells the type.</param>
public sealed record TestFacts(string Name)
{
    /// <summary>Where it is: on a stack the line that runs, of an async method the line of its await. Null where that is not known.</summary>
    public SourceLine? Source { get; init; }

    public override string ToString() => Source is null ? Name : $"{Name} ({Source})";
}
