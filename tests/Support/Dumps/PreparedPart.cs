namespace HangTriage.Tests.Support.Dumps;

/// <summary>
/// Programs that tests start and that take a compiler. tests/Prepare makes them before the first test, so that no test has a
/// compiler beside it; a test only finds them here.
/// </summary>
/// <param name="Name">What tests/Targets/Prepare.proj calls it.</param>
/// <param name="Folder">Where it lies below the artifacts.</param>
/// <param name="Sources">The files that it is made from.</param>
public sealed record PreparedPart(string Name, string Folder, Func<IEnumerable<string>> Sources)
{
    /// <summary>The programs of it that are made for the gate; none where it is always made whole.</summary>
    public IReadOnlyList<string> InGate { get; init; } = [];

    /// <summary>The programs of it that are to be made now; none where all are.</summary>
    public IReadOnlyList<string> Wanted => Tier.IsWhole ? [] : InGate;

    private Lazy<string> Hash { get; } = new(() => DotNetPrograms.HashOf(Sources()));

    private string Stamp => Path.Combine(Repository.Artifacts, "prepared", Name);

    /// <summary>Whether it is there, made from the sources as they are.</summary>
    public bool IsMade => File.Exists(Stamp) && File.ReadAllText(Stamp) is { } made && (made == StampOf([]) || made == StampOf(Wanted));

    /// <summary>The folder; throws where it is not made.</summary>
    public string Find() => IsMade
        ? Path.Combine(Repository.Artifacts, Folder)
        : throw new InvalidOperationException($"{Name} is not there, or older than its sources; run: dotnet run --project tests/Prepare");

    /// <summary>A program of it, ready to be started.</summary>
    public string Find(string program)
        => Path.Combine(Find(), program) is var file && File.Exists($"{file}.dll")
            ? file
            : throw new InvalidOperationException(
                $"{program} is not among {Name} that the gate makes (GatePrograms); "
                + "run: HANGTRIAGE_TESTS=all dotnet run --project tests/Prepare");

    /// <summary>Notes that it is about to be made: what is broken off does not count.</summary>
    public void Begin()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Stamp)!);
        File.Delete(Stamp);
    }

    /// <summary>Notes that it is made.</summary>
    public void End() => File.WriteAllText(Stamp, StampOf(Wanted));

    private string StampOf(IReadOnlyList<string> programs) => string.Join(' ', programs.Prepend(Hash.Value));
}
