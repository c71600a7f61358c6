using System.Diagnostics;
using System.Globalization;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>A program that runs, has printed its READY line, and ends with this.</summary>
public sealed class LiveProgram : IDisposable
{
    // Of processor time, until it is ready, and for what is waited for later: some of these programs compute for ever.
    private static readonly TimeSpan s_mostUsed = TimeSpan.FromMinutes(10);

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

    /// <summary>Gives it precedence over what else this machine does, where this user may: a loop that gets little of a processor is none that can be told.</summary>
    public async Task HurryAsync(CancellationToken cancellation)
    {
        IEnumerable<string> threads = Directory.EnumerateDirectories($"/proc/{Id}/task").Select(folder => Path.GetFileName(folder));
        using Process renice = Process.Start(new ProcessStartInfo("renice", ["-n", "-20", "-p", .. threads]) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        await renice.WaitForExitAsync(cancellation);
    }

    /// <summary>For what it is to do: as long as it does something.</summary>
    public Patience Patience() => new(s_mostUsed, Id);

    /// <summary>How often the thread of this name has waited so far (voluntary switches in proc(5)): what moves waits again and again.</summary>
    public long WaitsOf(string threadName)
        => Directory.EnumerateDirectories($"/proc/{Id}/task")
            .Select(Status)
            .Where(status => status.Contains($"Name:\t{threadName}", StringComparer.Ordinal))
            .Sum(status => long.Parse(status.Single(line => line.StartsWith("voluntary_ctxt_switches:", StringComparison.Ordinal)).Split(':')[1], CultureInfo.InvariantCulture));

    /// <summary>How much of the processor time of all its threads those of this name have used (proc(5): utime and stime).</summary>
    public double CpuShareOf(string threadName)
    {
        (string Name, double Ticks)[] threads = [.. Directory.EnumerateDirectories($"/proc/{Id}/task").Select(Stat).Where(stat => stat.Length > 0).Select(ReadTicks)];
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
        LiveProgram program = new(process);
        process.BeginOutputReadLine();
        Patience patience = program.Patience();
        while (!program.Lines.Any(line => line.StartsWith("READY", StringComparison.Ordinal)))
        {
            if (process.HasExited)
            {
                throw new InvalidOperationException($"{name} {string.Join(' ', arguments)} ended before it was ready");
            }

            if (patience.End is { } why)
            {
                string said = string.Join(" | ", program.Lines), states = program.States;
                program.Dispose();
                throw new TimeoutException($"{name} {string.Join(' ', arguments)} does not become ready, {why}: its threads are in {states}, and it has said: {said}");
            }

            await Task.Delay(20, cancellation);
        }

        return program;
    }

    private static string StateOf(string thread) => Stat(thread) is { Length: > 0 } stat ? stat.Substring(stat.LastIndexOf(')') + 2, 1) : string.Empty;

    private static string Stat(string thread) => Read(Path.Combine(thread, "stat"));

    private static string[] Status(string thread) => Read(Path.Combine(thread, "status")).Split('\n', StringSplitOptions.RemoveEmptyEntries);

    private static string Read(string file)
    {
        try
        {
            return File.ReadAllText(file);
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
