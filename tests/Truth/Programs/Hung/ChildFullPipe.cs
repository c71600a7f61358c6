using System.Diagnostics;
using System.Globalization;
using Truth.Children;

namespace Truth.Hung;

/// <summary>The first thread waits for the end of a child whose redirected output nobody reads; the child waits for a reader.</summary>
internal static class ChildFullPipe
{
    // The pipe takes 64 KiB; what does not fit any more is a line.
    private const int AlmostFull = 65_000;

    public static void Run()
    {
        ProcessStartInfo start = Child.Info("child-chatty");
        start.RedirectStandardOutput = true;
        using Process converter = Process.Start(start)!;
        int id = converter.Id;
        long last = 0;
        Ready.WhenAtRest(() => WrittenBy(id) is long written && written > AlmostFull && Interlocked.Exchange(ref last, written) == written, Thread.CurrentThread);
        Convert(converter);
    }

    private static void Convert(Process converter)
    {
        converter.WaitForExit();
        Console.WriteLine(converter.StandardOutput.ReadToEnd().Length);
    }

    private static long WrittenBy(int process)
        => long.Parse(File.ReadLines($"/proc/{process}/io").First(line => line.StartsWith("wchar:", StringComparison.Ordinal))[6..], CultureInfo.InvariantCulture);
}
