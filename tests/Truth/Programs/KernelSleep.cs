namespace Truth;

/// <summary>Tells a thread that is in a call of the system: to the runtime such a thread does not wait.</summary>
internal static class KernelSleep
{
    /// <summary>Whether the thread of that name sleeps in the kernel.</summary>
    public static bool Of(string name)
        => Directory.EnumerateDirectories("/proc/self/task")
            .Select(task => File.ReadAllText(Path.Combine(task, "stat")))
            .Any(stat => stat.Contains($"({name}) S ", StringComparison.Ordinal));
}
