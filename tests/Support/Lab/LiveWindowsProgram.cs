using System.Diagnostics;
using System.Globalization;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.Support.Lab;

/// <summary>A program that runs in the Windows lab, has printed its READY line, and ends with this.</summary>
public sealed class LiveWindowsProgram : IDisposable
{
    // Of processor time, with all that runs under Wine: some of it computes for ever.
    private static readonly TimeSpan s_mostUsed = TimeSpan.FromMinutes(30);

    private readonly Process _process;
    private readonly List<string> _lines = [];

    private LiveWindowsProgram(Process process) => _process = process;

    /// <summary>Its id as Windows programs see it.</summary>
    public string IdText { get; private set; } = string.Empty;

    /// <summary>What it has printed behind its READY line.</summary>
    public int LineCount
    {
        get
        {
            lock (_lines)
            {
                return _lines.Count(line => !line.StartsWith("COUNTS ", StringComparison.Ordinal));
            }
        }
    }

    public bool HasLost
    {
        get
        {
            lock (_lines)
            {
                return _lines.Exists(line => line.StartsWith("LOST", StringComparison.Ordinal));
            }
        }
    }

    /// <summary>Starts a sample, or one of the programs that are published with the .NET samples; skips the test where the lab cannot be had.</summary>
    public static LiveWindowsProgram Start(string sample, params string[] arguments)
    {
        string folder = WindowsLab.Output("build", Directory.Exists(Repository.Sample(sample, string.Empty)) ? sample : "MonitorDeadlock").Trim();
        ProcessStartInfo start = new("bash", [Path.Combine(Repository.Root, "tests", "Lab", "lab.sh"), "live", Path.Combine(folder, $"{sample}.exe"), "--", .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        LiveWindowsProgram program = new(Process.Start(start)!);
        program._process.OutputDataReceived += (_, line) => program.Hear(line.Data);
        program._process.BeginOutputReadLine();
        program.IdText = program.Await("PID ")[0];
        return program;
    }

    /// <summary>For what is to become of it: as long as anything under Wine does something.</summary>
    public Patience Patience() => new(s_mostUsed, () => WineProcesses.And(_process.Id));

    /// <summary>The threads that it has, and how often the one that is suspended most is suspended.</summary>
    public (int Threads, int Highest) SuspendCounts()
    {
        lock (_lines)
        {
            _lines.RemoveAll(line => line.StartsWith("COUNTS ", StringComparison.Ordinal));
        }

        _process.StandardInput.WriteLine();
        _process.StandardInput.Flush();
        string[] words = Await("COUNTS ");
        return (int.Parse(words[0], CultureInfo.InvariantCulture), int.Parse(words[1], CultureInfo.InvariantCulture));
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        if (RunLimit.WhyNot(Patience(), _process.WaitForExit) is not null)
        {
            _process.Kill(entireProcessTree: true);
            _process.WaitForExit();
        }

        _process.Dispose();
    }

    private void Hear(string? line)
    {
        lock (_lines)
        {
            _lines.Add(line ?? string.Empty);
            Monitor.PulseAll(_lines);
        }
    }

    private string[] Await(string start)
    {
        Patience patience = Patience();
        lock (_lines)
        {
            string? found;
            while ((found = _lines.Find(line => line.StartsWith(start, StringComparison.Ordinal))) is null)
            {
                if (patience.End is not null || (_process.HasExited && !Monitor.Wait(_lines, TimeSpan.FromSeconds(1))))
                {
                    throw new InvalidOperationException($"the lab's program said no {start}: {string.Join(" | ", _lines.TakeLast(3))}");
                }

                Monitor.Wait(_lines, TimeSpan.FromMilliseconds(100));
            }

            return found[start.Length..].Trim().Split(' ');
        }
    }
}
