using HangTriage.Capture;
using HangTriage.Facts;
using HangTriage.Reports;

namespace HangTriage.Cli;

/// <summary>The samples that the user gave, and the file of each.</summary>
internal sealed class CaseFiles
{
    private readonly string _target;
    private readonly IReadOnlyList<string> _files;

    private CaseFiles(string target, IReadOnlyList<string> files, Case @case)
    {
        _target = target;
        _files = files;
        Case = @case;
    }

    public Case Case { get; }

    /// <param name="host">The world.</param>
    /// <param name="target">The file that is judged.</param>
    /// <param name="earlier">Earlier captures of the same process, in the order in which they were given.</param>
    /// <param name="choices">How to read them.</param>
    /// <param name="progress">Told what is read.</param>
    /// <exception cref="InputException">A file cannot be read.</exception>
    public static CaseFiles Read(Host host, string target, IReadOnlyList<string> earlier, CaptureChoices choices, IProgress<string> progress)
    {
        List<string> files = [];
        List<ProcessSnapshot> samples = [];
        foreach (string file in earlier)
        {
            Add(file, Capture(host, file, choices with { IsDeep = false }, progress).Samples);
        }

        Case judged = choices.LiveSamples is { } take ? Case.Of(take(host, choices, progress)) : Capture(host, target, choices, progress);
        Add(target, judged.Samples);
        Case @case = Case.Of(samples) with { HungTests = choices.HungTests };
        @case = choices.Trace is { } trace ? TraceInput.Join(host, @case, trace, progress) : judged.Trace is { } stored ? @case.With(stored.File, stored.Facts) : @case;
        return new CaseFiles(target, files, @case);

        void Add(string file, IReadOnlyList<ProcessSnapshot> taken)
        {
            samples.AddRange(taken);
            files.AddRange(Enumerable.Repeat(file, taken.Count));
        }
    }

    /// <summary>Says which samples and which trace are left out, and why.</summary>
    public void WarnOfRefused(TextWriter error)
    {
        string rest = Case.Earlier.Any() ? "it is left out" : $"{_target} is judged alone";
        if (Case.Trace?.Refusal is { } refusal)
        {
            error.WriteLine(Printable.Line($"triage: {refusal}"));
        }

        foreach (SampleJoin join in Case.Joins.Where(join => !join.IsJoined))
        {
            error.WriteLine(Printable.Line($"triage: {_files[join.Given]}: {join.WhyNot}; {rest}"));
        }
    }

    private static Case Capture(Host host, string file, CaptureChoices choices, IProgress<string> progress)
    {
        try
        {
            return host.Capture(file, choices.Context(host, progress));
        }
        catch (Exception e) when (e is TargetOpenException or IOException or UnauthorizedAccessException)
        {
            throw new InputException(file, e);
        }
    }
}
