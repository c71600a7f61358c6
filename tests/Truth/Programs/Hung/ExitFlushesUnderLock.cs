using Serilog;
using Serilog.Core;
using Serilog.Events;

namespace Truth.Hung;

/// <summary>A thread ends the process under the lock of a journal. A handler of the exit flushes the log, whose worker writes to the journal.</summary>
internal static class ExitFlushesUnderLock
{
    private static readonly Journal s_journal = new();

    public static void Run()
    {
        Log.Logger = new LoggerConfiguration().WriteTo.Async(sinks => sinks.Sink(new JournalSink())).CreateLogger();
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Flush();
        Ready.When(() => s_journal.IsWanted && s_journal.IsFlushing);
        s_journal.FailAndExit();
    }

    private static void Flush()
    {
        s_journal.IsFlushing = true;
        Log.CloseAndFlush();
    }

    private sealed class Journal
    {
        private readonly List<string> _lines = [];

        public volatile bool IsWanted;
        public volatile bool IsFlushing;

        public void Append(string line)
        {
            IsWanted = true;
            lock (_lines)
            {
                _lines.Add(line);
            }
        }

        public void FailAndExit()
        {
            lock (_lines)
            {
                Log.Fatal("the journal is full: {Lines}", _lines.Count);
                Environment.Exit(3);
            }
        }
    }

    private sealed class JournalSink : ILogEventSink
    {
        public void Emit(LogEvent logEvent) => s_journal.Append(logEvent.MessageTemplate.Text);
    }
}
