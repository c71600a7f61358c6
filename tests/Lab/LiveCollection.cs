namespace HangTriage.Tests.Lab;

/// <summary>
/// Tests that catch a moment or measure shares of processors, or how soon something ends: one after the other, with nothing of
/// this assembly beside them. The trait Tier=live, which they carry too, has test.sh run them with nothing else beside them either.
/// </summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class LiveCollection
{
    public const string Name = "live";
    public const string Tier = "live";
}
