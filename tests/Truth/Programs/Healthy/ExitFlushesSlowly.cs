using Serilog;
using Serilog.Core;
using Serilog.Events;

namespace Truth.Healthy;

/// <summary>The process ends, and a handler of that flushes a log of which each line takes a moment to write.</summary>
internal static class ExitFlushesSlowly
{
    private static int s_written;
    private static volatile bool s_isFlushing;

    public static void Run()
    {
        Log.Logger = new LoggerConfiguration().WriteTo.Async(sinks => sinks.Sink(new SlowSink()), bufferSize: 100_000).CreateLogger();
        for (int i = 0; i < 50_000; i++)
        {
            Log.Information("row {Number}", i);
        }

        AppDomain.CurrentDomain.ProcessExit += (_, _) => Flush();
        Ready.When(() => s_isFlushing && Volatile.Read(ref s_written) > 5);
        Environment.Exit(0);
    }

    private static void Flush()
    {
        s_isFlushing = true;
        Log.CloseAndFlush();
    }

    private sealed class SlowSink : ILogEventSink
    {
        public void Emit(LogEvent logEvent)
        {
            Thread.Sleep(20);
            Interlocked.Increment(ref s_written);
        }
    }
}
