using HangTriage.Capture;
using HangTriage.Capture.Files;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Traces;

namespace HangTriage.Cli;

/// <summary>Opens what the user named, whatever its extension says.</summary>
internal static class Targets
{
    /// <exception cref="TargetOpenException">The target cannot be read.</exception>
    public static Case Capture(string path, CaptureContext context)
        => TraceIn(path) is { } trace
            ? throw new TargetOpenException($"{trace}, not a dump; 'triage trace' says what it shows")
            : TargetFile.CaptureCase(path, context);

    private static string? TraceIn(string path)
    {
        byte[] head = new byte[TraceRecognizer.HeadLength];
        try
        {
            using FileStream file = PlainFile.OpenStream(path);
            int read = file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
            return TraceRecognizer.Recognize(head.AsSpan(0, read)) switch
            {
                TraceFormat.Etl => "this is an event trace of Windows",
                TraceFormat.Nettrace => "this is an event trace of .NET",
                _ => null,
            };
        }
        catch (Exception e) when (e is TargetOpenException or IOException or UnauthorizedAccessException)
        {
            // Whoever opens it next says why it cannot be read.
            return null;
        }
    }
}
