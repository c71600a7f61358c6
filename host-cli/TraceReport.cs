using System.Diagnostics;
using System.Globalization;
using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Reports.Json;
using HangTriage.Reports.Markdown;
using HangTriage.Reports.Text;
using HangTriage.Rules;
using HangTriage.Traces.Tags;

namespace HangTriage.Cli;

/// <summary>A trace that was read, or one process's share of it, and how it is written.</summary>
internal sealed class TraceReport
{
    /// <summary>Processes that a message names.</summary>
    private const int MostNamed = 10;

    private readonly TraceFacts _trace;
    private readonly string _file;
    private readonly uint? _pid;

    private TraceReport(TraceFacts trace, string file, uint? pid)
    {
        _trace = trace;
        _file = file;
        _pid = pid;
    }

    /// <exception cref="InputException">The file cannot be read.</exception>
    public static TraceReport Read(Host host, string path, string? tags, bool isQuiet)
    {
        StackTags? known = tags is null ? null : TraceInput.Tags(tags);
        TraceFacts facts = Progress.While(host, isQuiet, progress => TraceInput.Read(host, path, progress, known));
        return new TraceReport(facts, Path.GetFileName(path), pid: null);
    }

    /// <summary>One process's share; all of it where neither is given.</summary>
    /// <param name="pid">Its id.</param>
    /// <param name="name">Its name.</param>
    /// <exception cref="UsageException">The trace has no such process, or several.</exception>
    public TraceReport Of(uint? pid, string? name)
    {
        if (pid is null && name is null)
        {
            return this;
        }

        TraceProcess[] found = [.. _trace.Processes.Where(process => pid is { } id ? process.Pid == id : HasName(process, name!))];
        uint[] ids = [.. found.Select(process => process.Pid).Distinct()];
        return ids.Length == 1 ? new TraceReport(_trace, _file, ids[0])
            : ids.Length == 0 ? throw new UsageException($"{_file} has no process {(pid is { } id ? id.ToString(CultureInfo.InvariantCulture) : name)}; 'triage trace {_file}' lists those that it has.")
            : throw new UsageException($"{_file} has {ids.Length} processes {name}; name one of them with --pid: {string.Join(", ", ids.Take(MostNamed))}{(ids.Length > MostNamed ? ", ..." : "")}.");
    }

    /// <summary>The tables; of one process the verdict behind them, which decides the exit code.</summary>
    public int Write(Host host, ReportPlan plan, bool isQuiet)
    {
        if (_pid is { } pid)
        {
            long start = Stopwatch.GetTimestamp();
            TriageResult result = host.Judge(Case.OfTrace(_file, _trace, pid));
            return WriteVerdict(host,
                new Analysis(result, new Dictionary<string, TimeSpan> { ["judge"] = Stopwatch.GetElapsedTime(start) }), plan, isQuiet);
        }

        plan.Write(host, (output, terminal) => Write(plan.Layout.Format, output, terminal.Width));
        if (plan.File is not null && !isQuiet)
        {
            host.Error.WriteLine(Printable.Line($"triage: {plan.Name}: written"));
        }

        return ExitCode.Done;
    }

    private int WriteVerdict(Host host, Analysis analysis, ReportPlan plan, bool isQuiet)
        => ReportOutput.Write(host, analysis, plan, isQuiet, before: (output, width) =>
        {
            // The JSON report has the trace in itself.
            if (plan.Layout.Format != ReportFormat.Json)
            {
                Write(plan.Layout.Format, output, width);
                output.Write('\n');
            }
        });

    private static bool HasName(TraceProcess process, string name)
        => process.Name.Is(known => string.Equals(known, name, StringComparison.OrdinalIgnoreCase) || string.Equals(Path.GetFileNameWithoutExtension(known), name, StringComparison.OrdinalIgnoreCase));

    private void Write(string format, TextWriter output, int width)
    {
        switch (format)
        {
            case ReportFormat.Json:
                TraceJsonReport.Write(_trace, _file, output, Host.Version);
                break;
            case ReportFormat.Markdown:
                TraceMarkdownReport.Write(_trace, _file, _pid, output);
                break;
            default:
                TraceTextReport.Write(_trace, _file, _pid, output, width);
                break;
        }
    }
}
