namespace Truth;

/// <summary>Where programs put files; who starts them names the folder in TRUTH_FOLDER, and removes it.</summary>
internal static class Scratch
{
    public static string File(string name)
        => Path.Combine(Environment.GetEnvironmentVariable("TRUTH_FOLDER") ?? Path.GetTempPath(), $"{name}-{Environment.ProcessId}");
}
