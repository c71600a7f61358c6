using NLog;
using NLog.Config;
using NLog.Targets;

namespace Truth.Hung;

/// <summary>A target of NLog takes the lock of the code that logs, in the opposite order.</summary>
internal static class NLogTargetCrosswise
{
    private static readonly Ledger s_ledger = new();
    private static readonly ManualResetEventSlim s_isInTarget = new();
    private static readonly ManualResetEventSlim s_isInLedger = new();

    public static void Run()
    {
        LoggingConfiguration configuration = new();
        configuration.AddRuleForAllLevels(new AuditTarget { Name = "audit" });
        LogManager.Configuration = configuration;
        Logger log = LogManager.GetLogger("ledger");
        Thread cleanup = new(() => log.Info("cleanup")) { Name = "cleanup" };
        Thread posting = new(() => s_ledger.Post(log)) { Name = "posting" };
        posting.Start();
        s_isInLedger.Wait();
        cleanup.Start();
        Ready.WhenAtRest(() => s_isInTarget.IsSet, posting, cleanup);
        posting.Join();
    }

    private sealed class Ledger
    {
        private int _entries;

        public void Post(Logger log)
        {
            lock (this)
            {
                s_isInLedger.Set();
                s_isInTarget.Wait();
                _entries++;
                log.Info("posted");
            }
        }

        public int Entries()
        {
            lock (this)
            {
                return _entries;
            }
        }
    }

    private sealed class AuditTarget : Target
    {
        protected override void Write(LogEventInfo logEvent)
        {
            s_isInTarget.Set();
            Console.WriteLine($"{logEvent.Message} at {s_ledger.Entries()}");
        }
    }
}
