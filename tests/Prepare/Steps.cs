using System.Diagnostics;
using System.Globalization;

namespace HangTriage.Tests.Prepare;

/// <summary>The steps, and how long each took.</summary>
internal static class Steps
{
    public static async Task RunAsync(string what, Action step)
    {
        Stopwatch time = Stopwatch.StartNew();
        await Task.Run(step);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"prepared {what}: {time.Elapsed.TotalSeconds:F0} s"));
    }
}
