using HangTriage.Capture;
using HangTriage.Capture.Files;
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
    /// <param name="tags">What frames mean; null for the built-in tags.</param>
    /// <exception cref="InputException">The file cannot be read.</exception>
    public static TraceFacts Read(Host host, string path, IProgress<string> progress, StackTags? tags)
        => Guarded(path, () => TraceFile.Read(path, Context(host, progress) with { Tags = tags }));

    /// <summary>The case with the trace, joined or refused.</summary>
    /// <exception cref="InputException">The file cannot be read.</exception>
    public static Case Join(Host host, Case @case, string path, IProgress<string> progress)
        => Guarded(path, () => TraceOfCase.Read(@case, path, Context(host, progress)));

    /// <summary>The tags of a file, before the built-in ones.</summary>
    /// <exception cref="InputException">The file cannot be read, or a line of it is no tag.</exception>
    public static StackTags Tags(string path)
    {
        try
        {
            using StreamReader text = new(PlainFile.OpenStream(path));
            return StackTags.Parse(text);
        }
        catch (Exception e) when (e is FormatException or TargetOpenException or IOException or UnauthorizedAccessException)
        {
            throw new InputException(path, e);
        }
    }

    private static TraceContext Context(Host host, IProgress<string> progress)
        => new(TraceLimits.Default, progress, host.Cancellation)
        {
            Opener = PlainFile.Open,
            Watch = host.Watch is { } watch ? new TraceWatch(watch.Begin, watch.Step, watch.End) : null,
        };

    private static T Guarded<T>(string path, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (Exception e) when (e is TraceOpenException or TargetOpenException or IOException or UnauthorizedAccessException)
        {
            throw new InputException(path, e);
        }
    }
}
