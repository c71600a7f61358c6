using System.Diagnostics;
using System.Globalization;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>A program that runs, has printed its READY line, and ends with this.</summary>
public sealed class LiveProgram : IDisposable
{
    private static readonly TimeSpan s_bound = TimeSpan.FromMinutes(3);

    private readonly Process _process;
    private readonly List<string> _lines = [];

    private LiveProgram(Process process)
    {
        _process = process;
        _process.OutputDataReceived += (_, line) =>
        {
            lock (_lines)
            {
                _lines.Add(line.Data ?? string.Empty);
            }
        };
    }

    public int Id => _process.Id;

    public string IdText => _process.Id.ToString(CultureInfo.InvariantCulture);

    public bool HasEnded => _process.HasExited;

    /// <summary>What it has printed behind its READY line.</summary>
    public IReadOnlyList<string> Lines
    {
        get
        {
            lock (_lines)
            {
                return [.. _lines];
            }
        }
    }

    /// <summary>The letters of its threads' states (proc(5)); empty where it has ended.</summary>
    public string States
        => HasEnded ? string.Empty
            : string.Concat(Directory.EnumerateDirectories($"/proc/{Id}/task").Select(StateOf));

    public IReadOnlyList<string> ThreadIds => [.. Directory.EnumerateDirectories($"/proc/{Id}/task").Select(folder => Path.GetFileName(folder))];

    /// <summary>How much of the processor time of all its threads those of this name have used (proc(5): utime and stime).</summary>
    public double CpuShareOf(string threadName)
    {
        (string Name, double Ticks)[] threads = [.. Directory.EnumerateDirectories($"/proc/{Id}/task").Select(folder => ReadTicks(File.ReadAllText(folder + "/stat")))];
        return threads.Where(thread => thread.Name == threadName).Sum(thread => thread.Ticks) / threads.Sum(thread => thread.Ticks);
    }

    /// <summary>Starts one of the programs of <see cref="DotNetPrograms"/>.</summary>
    public static async Task<LiveProgram> StartAsync(string name, string[] arguments, CancellationToken cancellation)
    {
        ProcessStartInfo start = new(DotNetPrograms.Find(name, TargetFramework.Net10), arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        Process process = Process.Start(start)!;
        using CancellationTokenSource bound = new(s_bound);
        LiveProgram program = new(process);
        process.BeginOutputReadLine();
        while (!program.Lines.Any(line => line.StartsWith("READY", StringComparison.Ordinal)))
        {
            if (process.HasExited)
            {
                throw new InvalidOperationException($"{name} {string.Join(' ', arguments)} ended before it was ready");
            }

            if (bound.IsCancellationRequested)
            {
                string said = string.Join(" | ", program.Lines), states = program.States;
                program.Dispose();
                throw new TimeoutException($"{name} {string.Join(' ', arguments)} was not ready after {s_bound}: its threads are in {states}, and it has said: {said}");
            }

            await Task.Delay(20, cancellation);
        }

        return program;
    }

    private static string StateOf(string thread)
    {
        try
        {
            string stat = File.ReadAllText(thread + "/stat");
            return stat.Substring(stat.LastIndexOf(')') + 2, 1);
        }
        catch (IOException)
        {
            // The thread has ended since it was listed.
            return string.Empty;
        }
    }

    public void Dispose()
    {
        _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
    }

    private static (string Name, double Ticks) ReadTicks(string stat)
    {
        int end = stat.LastIndexOf(')');
        string[] fields = stat[(end + 2)..].Split(' ');
        return (stat[(stat.IndexOf('(', StringComparison.Ordinal) + 1)..end], double.Parse(fields[11], CultureInfo.InvariantCulture) + double.Parse(fields[12], CultureInfo.InvariantCulture));
    }
}
