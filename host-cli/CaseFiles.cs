using HangTriage.Capture;
using HangTriage.Facts;
using HangTriage.Reports;

namespace HangTriage.Cli;

/// <summary>The samples that the user gave, and the file of each.</summary>
internal sealed class CaseFiles
{
    private readonly string _target;
    private readonly IReadOnlyList<string> _files;

    private CaseFiles(string target, IReadOnlyList<(string File, ProcessSnapshot Sample)> samples)
    {
        _target = target;
        _files = [.. samples.Select(pair => pair.File)];
        Case = Case.Of([.. samples.Select(pair => pair.Sample)]);
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
        List<(string File, ProcessSnapshot Sample)> samples = [];
        foreach (string file in earlier)
        {
            samples.AddRange(Capture(host, file, choices with { IsDeep = false }, progress).Samples.Select(sample => (file, sample)));
        }

        IReadOnlyList<ProcessSnapshot> last = choices.LiveSamples is { } take ? take(host, choices, progress) : Capture(host, target, choices, progress).Samples;
        samples.AddRange(last.Select(sample => (target, sample)));
        return new CaseFiles(target, samples);
    }

    /// <summary>Says which samples are not compared, and why.</summary>
    public void WarnOfRefused(TextWriter error)
    {
        string rest = Case.Earlier.Any() ? "it is left out" : $"{_target} is judged alone";
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
