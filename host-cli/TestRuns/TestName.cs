namespace HangTriage.Cli.TestRuns;

/// <summary>The name of a test as reports have it.</summary>
internal static class TestName
{
    /// <summary>Without the arguments that a row of data gives it: they are contents of the program.</summary>
    public static string Of(string name)
    {
        int arguments = name.IndexOf('(', StringComparison.Ordinal);
        return (arguments < 0 ? name : name[..arguments]).Trim();
    }
}
