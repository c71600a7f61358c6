using System.Diagnostics;
using Truth.Children;

namespace Truth.Healthy;

/// <summary>Main awaits all that a child writes; the child works and will end.</summary>
internal static class ChildOutputAwaited
{
    public static async Task RunAsync()
    {
        ProcessStartInfo start = Child.Info("child-worker");
        start.RedirectStandardOutput = true;
        using Process worker = Process.Start(start)!;
        Task<string> output = ReadAsync(worker);
        Ready.WhenStill(() => !output.IsCompleted);
        Console.WriteLine((await output).Length);
    }

    private static async Task<string> ReadAsync(Process worker)
    {
        string output = await worker.StandardOutput.ReadToEndAsync();
        await worker.WaitForExitAsync();
        return output;
    }
}
