using System.Diagnostics;
using System.Globalization;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>A program that runs, has printed its READY line, and ends with this.</summary>
public sealed class LiveProgram : IDisposable
{
    private static readonly TimeSpan s_bound = TimeSpan.FromMinutes(1);

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

    /// <summary>Starts one of the programs of <see cref="DotNetPrograms"/>.</summary>
    public static async Task<LiveProgram> StartAsync(string name, string[] arguments, CancellationToken cancellation)
    {
        ProcessStartInfo start = new(await DotNetPrograms.FindAsync(name, TargetFramework.Net10, cancellation), arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        Process process = Process.Start(start)!;
        using CancellationTokenSource bound = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        bound.CancelAfter(s_bound);
        LiveProgram program = new(process);
        process.BeginOutputReadLine();
        while (!program.Lines.Any(line => line.StartsWith("READY", StringComparison.Ordinal)))
        {
            if (process.HasExited)
            {
                throw new InvalidOperationException($"{name} {string.Join(' ', arguments)} ended before it was ready");
            }

            await Task.Delay(20, bound.Token);
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
}
