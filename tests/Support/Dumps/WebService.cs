namespace HangTriage.Tests.Support.Dumps;

/// <summary>The web service of tests/WebService, as <c>dotnet run</c> starts it.</summary>
public static class WebService
{
    private static readonly string s_sources = Path.Combine(Repository.Root, "tests", "WebService");

    public static PreparedPart Part { get; } = new("web-service", "web-service", () => DotNetPrograms.SourcesOf(s_sources));

    /// <summary>The command that starts it, with nothing left to compile.</summary>
    public static string[] Command()
    {
        _ = Part.Find();
        return ["dotnet", "run", "--project", s_sources];
    }
}
