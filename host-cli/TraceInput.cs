using HangTriage.Facts;
using HangTriage.Traces;
using HangTriage.Traces.Files;
using HangTriage.Traces.Tags;

namespace HangTriage.Cli;

/// <summary>Reads the trace that the user named.</summary>
internal static class TraceInput
{
    /// <param name="host">The world.</param>
    /// <param name="path">The file.</param>
    /// <param name="progress">Told how far it is.</param>
    /// <param name="moment">When the capture was taken; null for a trace alone.</param>
    /// <param name="tags">What frames mean; null for the built-in tags.</param>
    /// <exception cref="InputException">The file cannot be read.</exception>
    public static TraceFacts Read(Host host, string path, IProgress<string> progress, DateTimeOffset? moment = null, StackTags? tags = null)
    {
        try
        {
            return TraceFile.Read(path, new TraceContext(TraceLimits.Default, progress, host.Cancellation) { Moment = moment, Tags = tags, Watch = host.Watch is { } watch ? new TraceWatch(watch.Begin, watch.Step, watch.End) : null });
        }
        catch (Exception e) when (e is TraceOpenException or IOException or UnauthorizedAccessException)
        {
            throw new InputException(path, e);
        }
    }

    /// <summary>The tags of a file, before the built-in ones.</summary>
    /// <exception cref="InputException">The file cannot be read, or a line of it is no tag.</exception>
    public static StackTags Tags(string path)
    {
        try
        {
            using StreamReader text = new(path);
            return StackTags.Parse(text);
        }
        catch (Exception e) when (e is FormatException or IOException or UnauthorizedAccessException)
        {
            throw new InputException(path, e is FileNotFoundException or DirectoryNotFoundException ? new FileNotFoundException("there is no such file", e) : e is UnauthorizedAccessException ? new IOException("the file may not be read (access denied)", e) : e);
        }
    }

    /// <summary>The case with the trace, joined or refused.</summary>
    /// <exception cref="InputException">The file cannot be read.</exception>
    public static Case Join(Host host, Case @case, string path, IProgress<string> progress)
    {
        Known<DateTimeOffset> captured = @case.Last.Target.CapturedAt;
        DateTimeOffset? moment = captured is { HasValue: true, Trust: not Trust.Assumed } ? captured.Value : null;
        return @case.With(Path.GetFileName(path), Read(host, path, progress, moment));
    }
}
