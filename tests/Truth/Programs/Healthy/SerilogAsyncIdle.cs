using Serilog;
using Serilog.Core;
using Serilog.Events;

namespace Truth.Healthy;

/// <summary>Serilog's background worker waits for the next event; a timer logs one every 400 ms.</summary>
internal static class SerilogAsyncIdle
{
    private static int s_written;

    public static async Task RunAsync()
    {
        await using Logger log = new LoggerConfiguration().WriteTo.Async(sinks => sinks.Sink(new CountingSink())).CreateLogger();
        using Timer heartbeat = new(_ => log.Information("alive"), null, 0, 400);
        Ready.When(() => Volatile.Read(ref s_written) > 1);
        await Task.Delay(Timeout.Infinite);
    }

    private sealed class CountingSink : ILogEventSink
    {
        public void Emit(LogEvent logEvent) => Interlocked.Increment(ref s_written);
    }
}
