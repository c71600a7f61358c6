using HangTriage.Capture;
using HangTriage.Capture.Files;
using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Traces;
using HangTriage.Traces.Files;
using Microsoft.Diagnostics.DebugServices;

namespace HangTriage.DotnetDump;

/// <summary>The trace that the user named.</summary>
internal sealed class TraceInput
{
    private readonly string _path;

    private TraceInput(string path) => _path = path;

    /// <summary>Null where the user named none.</summary>
    /// <exception cref="DiagnosticsException">There is no such file.</exception>
    public static TraceInput? Of(string? path)
        => path is null ? null
            : File.Exists(path) ? new TraceInput(path)
            : throw Failure(path, Directory.Exists(path) ? "this is a folder, not a file" : "there is no such file");

    /// <summary>The case with the trace, joined or refused.</summary>
    /// <exception cref="DiagnosticsException">The file cannot be read.</exception>
    public Case Join(Case @case, CancellationToken cancellation)
    {
        try
        {
            TraceContext context = new(TraceLimits.Default, null, cancellation) { ReadsNettrace = false, Opener = PlainFile.Open };
            return TraceOfCase.Read(@case, _path, context);
        }
        catch (Exception e) when (e is TraceOpenException or TargetOpenException or IOException or UnauthorizedAccessException)
        {
            throw Failure(_path, e.Message);
        }
    }

    private static DiagnosticsException Failure(string path, string why) => new(Printable.Ascii($"triage: {path}: {why}"));
}
