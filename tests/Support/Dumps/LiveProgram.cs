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
        => HasEnded ? string.Empty : string.Concat(Proc.Threads(Id).Select(Proc.StateOf));

    /// <summary>Gives it precedence over what else this machine does, where this user may: a loop that gets little of a processor is none that can be told.</summary>
    public async Task HurryAsync(CancellationToken cancellation)
    {
        IEnumerable<string> threads = Proc.Threads(Id).Select(folder => Path.GetFileName(folder));
        using Process renice = Process.Start(new ProcessStartInfo("renice", ["-n", "-20", "-p", .. threads]) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        await renice.WaitForExitAsync(cancellation);
    }

    /// <summary>For what it is to do: as long as it does something.</summary>
    public Patience Patience() => new(s_mostUsed, Id);

    /// <summary>How often the thread of this name has waited so far (voluntary switches in proc(5)): what moves waits again and again.</summary>
    public long WaitsOf(string threadName)
        => Proc.Threads(Id)
            .Where(thread => Proc.Status(thread, "Name") == threadName)
            .Sum(thread => long.Parse(Proc.Status(thread, "voluntary_ctxt_switches") ?? "0", CultureInfo.InvariantCulture));

    /// <summary>How much of the processor time of all its threads those of this name have used.</summary>
    public double CpuShareOf(string threadName)
    {
        (string? Name, TimeSpan Used)[] threads =
            [.. Proc.Threads(Id).Select(thread => (Proc.Status(thread, "Name"), Proc.Used(thread) ?? TimeSpan.Zero))];
        return threads.Where(thread => thread.Name == threadName).Sum(thread => thread.Used.TotalSeconds) / threads.Sum(thread => thread.Used.TotalSeconds);
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

    public void Dispose()
    {
        _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
    }
}
