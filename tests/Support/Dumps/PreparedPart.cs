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
    private Lazy<string> Hash { get; } = new(() => DotNetPrograms.HashOf(Sources()));

    private string Stamp => Path.Combine(Repository.Artifacts, "prepared", Name);

    /// <summary>Whether it is there, made from the sources as they are.</summary>
    public bool IsMade => File.Exists(Stamp) && File.ReadAllText(Stamp) == Hash.Value;

    /// <summary>The folder; throws where it is not made.</summary>
    public string Find() => IsMade
        ? Path.Combine(Repository.Artifacts, Folder)
        : throw new InvalidOperationException($"{Name} is not there, or older than its sources; run: dotnet run --project tests/Prepare");

    /// <summary>Notes that it is about to be made: what is broken off does not count.</summary>
    public void Begin()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Stamp)!);
        File.Delete(Stamp);
    }

    /// <summary>Notes that it is made.</summary>
    public void End() => File.WriteAllText(Stamp, Hash.Value);
}
