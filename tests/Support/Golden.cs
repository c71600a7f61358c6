namespace HangTriage.Tests.Support;

/// <summary>Compares text with a file of the checkout. UPDATE_GOLDEN=1 writes the files instead; look at the difference before committing it.</summary>
public static class Golden
{
    private static bool IsUpdate => Environment.GetEnvironmentVariable("UPDATE_GOLDEN") == "1";

    /// <summary>Null where the text is what the file holds, else what to say.</summary>
    public static string? Difference(string path, string actual)
    {
        string full = Path.Combine(Repository.Root, path);
        if (IsUpdate)
        {
            File.WriteAllText(full, actual);
            return null;
        }

        if (!File.Exists(full))
        {
            return $"{path} does not exist; UPDATE_GOLDEN=1 writes it.";
        }

        string[] expected = File.ReadAllText(full).Split('\n');
        string[] lines = actual.Split('\n');
        int line = expected.Zip(lines).TakeWhile(pair => pair.First == pair.Second).Count();
        return line == expected.Length && line == lines.Length
            ? null
            : $"{path}:{line + 1}\n expected: {expected.ElementAtOrDefault(line) ?? "(end)"}\n actual:   {lines.ElementAtOrDefault(line) ?? "(end)"}\nUPDATE_GOLDEN=1 accepts it.";
    }
}
