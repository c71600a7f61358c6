using HangTriage.Facts;
using HangTriage.Traces.Etl;
using HangTriage.Traces.Nettrace;
using HangTriage.Traces.Perf;
using HangTriage.Traces.Windows;
using Microsoft.Win32.SafeHandles;

namespace HangTriage.Traces.Files;

/// <summary>Reads a trace, whatever it is: an .etl or .nettrace file, or the text of <c>perf script</c>, plain or in a gzip or zip file.</summary>
public static class TraceFile
{
    /// <summary>Bytes in which a text of perf names its first event: behind a header of comments.</summary>
    private const int PerfHead = 64 * 1024;

    private const string NettraceRefusal =
        "a .nettrace file is not read within a debugger, where a damaged one could end the session; judge it outside with 'triage analyze DUMP --trace FILE'";

    /// <summary>Detects the format from the content and reads all of the trace.</summary>
    /// <exception cref="TraceOpenException">The file is no trace, or cannot be read.</exception>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static TraceFacts Read(string path, TraceContext context)
    {
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(context);
        using SafeFileHandle file = context.Opener?.Invoke(path) ?? Open(path);
        byte[] head = Head(file);
        PackedTrace? format = PackedTrace.FormatOf(head);
        if (format is null)
        {
            return ReadPlain(path, file, head, context);
        }

        using UnpackedTrace unpacked = UnpackedTrace.Of(file, format, context);
        using SafeFileHandle inner = Open(unpacked.FilePath);
        return ReadPlain(unpacked.FilePath, inner, Head(inner), context);
    }

    /// <summary>True for a file that begins as a trace does and is not packed; false for any other, and where it cannot be read.</summary>
    public static bool IsTrace(SafeFileHandle file)
    {
        try
        {
            return TraceRecognizer.Recognize(Head(file)) is not null || IsPerf(file);
        }
        catch (Exception e) when (e is TraceOpenException or IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private static TraceFacts ReadPlain(string path, SafeFileHandle file, byte[] head, TraceContext context) => TraceRecognizer.Recognize(head) switch
    {
        TraceFormat.Etl => EtlTrace.Read(new EtlSource(file), context),
        TraceFormat.Nettrace when !context.ReadsNettrace => throw new TraceOpenException(NettraceRefusal),
        TraceFormat.Nettrace => NettraceTrace.Read(path, context),
        _ when IsPerf(file) => ReadPerf(file, context),
        _ => throw new TraceOpenException(Refusal(head)),
    };

    /// <summary>A text whose first lines name events of Linux's scheduler.</summary>
    private static bool IsPerf(SafeFileHandle file)
    {
        byte[] start = new byte[PerfHead];
        return start.AsSpan(0, new EtlSource(file).Read(0, start)).IndexOf(" sched:sched_"u8) >= 0;
    }

    private static TraceFacts ReadPerf(SafeFileHandle file, TraceContext context)
    {
        using FileStream text = new(file, FileAccess.Read, bufferSize: 1);
        text.Position = 0;
        return PerfTrace.Read(text, context);
    }

    private static string Refusal(ReadOnlySpan<byte> head)
        => head.StartsWith("MDMP"u8) || head.StartsWith("\x7F"u8) && head[1..].StartsWith("ELF"u8) ? "a dump, not a trace; judge it with 'triage analyze'"
            : head.StartsWith("PERFILE2"u8) ? "a recording of Linux perf; write its text with 'perf script --ns -F comm,pid,tid,cpu,time,event,trace'"
            : head.IsEmpty ? "the file is empty"
            : "not a trace of a known kind: it is no .etl or .nettrace file, and no text of 'perf script' with events of the scheduler";

    private static SafeFileHandle Open(string path)
    {
        if (Directory.Exists(path))
        {
            throw new TraceOpenException("this is a folder, not a file");
        }

        SafeFileHandle? file = null;
        try
        {
            file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            _ = RandomAccess.GetLength(file);
            return file;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            file?.Dispose();
            throw new TraceOpenException(Describe(e), e);
        }
    }

    private static byte[] Head(SafeFileHandle file)
    {
        byte[] head = new byte[TraceRecognizer.HeadLength];
        return head[..new EtlSource(file).Read(0, head)];
    }

    private static string Describe(Exception error) => error switch
    {
        FileNotFoundException or DirectoryNotFoundException => "there is no such file",
        UnauthorizedAccessException => "the file may not be read (access denied)",
        NotSupportedException => "this is a pipe or a device, not a file",
        PathTooLongException => "the path is too long",
        ArgumentException => "this is not the path of a file",
        _ => $"the file cannot be read (error 0x{error.HResult:x8})",
    };
}
