using System.Runtime.ExceptionServices;
using Microsoft.Diagnostics.Tracing.Etlx;

namespace HangTriage.Traces.Nettrace;

/// <summary>
/// A .nettrace file in the form in which its events have their stacks: TraceEvent makes it once, in a temporary folder that
/// only its user may enter; deleted on close.
/// </summary>
internal sealed class EventPipeFile : IDisposable
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(200);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("hangtriage-");
    private readonly StringWriter _notes = new();
    private TraceLog? _log;

    private EventPipeFile()
    {
    }

    public TraceLog Log => _log!;

    /// <summary>The reading ended before the file's end: it is damaged or was cut off there.</summary>
    public bool IsCutOff => _notes.ToString().Contains("[ERROR: processing events", StringComparison.Ordinal);

    /// <summary>Events that the recording lost.</summary>
    public long Lost { get; private set; }

    private string Converted => Path.Combine(_folder.FullName, "trace.etlx");

    /// <exception cref="TraceOpenException">The file converts to more than the limit.</exception>
    /// <exception cref="OperationCanceledException">The context was cancelled; the conversion continues until the process ends.</exception>
    /// <exception cref="Exception">Whatever the library throws of a damaged file.</exception>
    public static EventPipeFile Open(string path, TraceContext context)
    {
        EventPipeFile file = new();
        try
        {
            file.Convert(path, context);
            file._log = new TraceLog(file.Converted);
            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    public void Dispose()
    {
        _log?.Dispose();
        try
        {
            _folder.Delete(recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Gone already, or a conversion that was given up still writes: the system cleans its temporary folder.
        }
    }

    // The library says nothing while it works, and cannot be stopped: what it writes shows that it makes progress.
    private void Convert(string path, TraceContext context)
    {
        TraceLogOptions options = new() { KeepAllEvents = true, ContinueOnError = true, ConversionLog = _notes, OnLostEvents = (_, events, _) => Lost = events };
        ExceptionDispatchInfo? error = null;
        Thread worker = new(() =>
        {
            try
            {
                TraceLog.CreateFromEventPipeDataFile(path, Converted, options);
            }
            catch (Exception e)
            {
                error = ExceptionDispatchInfo.Capture(e);
            }
        }) { IsBackground = true, Name = "conversion of a .nettrace file" };
        worker.Start();
        for (long written = 0; !worker.Join(s_look);)
        {
            context.Cancellation.ThrowIfCancellationRequested();
            long now = Written();
            context.Progress?.Report($"reading the trace: {now >> 20} MB converted");
            if (now > context.Limits.UnpackedBytes)
            {
                throw new TraceOpenException($"the file converts to more than the limit of {context.Limits.UnpackedBytes} bytes");
            }

            if (now > written)
            {
                written = now;
                context.Watch?.Step();
            }
        }

        error?.Throw();
    }

    private long Written()
    {
        try
        {
            return _folder.EnumerateFiles().Sum(file => file.Length);
        }
        catch (IOException)
        {
            return 0;
        }
    }
}
