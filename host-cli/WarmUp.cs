using HangTriage.Rules;

namespace HangTriage.Cli;

/// <summary>
/// Judges and reports a small case to nowhere while the target is read, which keeps one processor busy. .NET loads and links code at its
/// first call: when the target's own facts are there, most of what judges and reports them has had its first.
/// </summary>
internal static class WarmUp
{
    /// <summary>Starts it and returns. Nothing waits for its end, and nothing that goes wrong in it is heard of.</summary>
    public static void Start(Host host, ReportLayout layout)
    {
        if (host.WarmsUp)
        {
            new Thread(() => Try(host, layout)) { IsBackground = true, Name = "warm-up" }.Start();
        }
    }

    /// <summary>Does it at once, for tests of what it does.</summary>
    public static void Run(ReportLayout layout, Terminal terminal)
    {
        Analysis analysis = new(Triage.Judge(SmallCase.Snapshot()), new Dictionary<string, TimeSpan>());
        ReportFormat.Write(layout with { Input = null }, analysis, TextWriter.Null, terminal);
    }

    private static void Try(Host host, ReportLayout layout)
    {
        try
        {
            Run(layout, host.Terminal);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // The same code fails again, and is heard of, if the target's own facts lead there.
        }
    }
}
