using static HangTriage.Facts.Calls.PollCall;

namespace HangTriage.Facts.Calls;

/// <summary>The methods of .NET that loops are made of which look, pause and look again.</summary>
public static class PollCalls
{
    private const string Threading = "System.Threading.";

    // By the beginning of the full name; the first that fits counts.
    private static readonly (string Start, PollCall Meaning)[] s_rows =
    [
        (Threading + "Thread.Sleep", Pauses),
        (Threading + "Thread.Yield", Pauses),
        (Threading + "Thread.SpinWait", Pauses),
        (Threading + "Thread.Join", Pauses),
        (Threading + "Thread.get_", Neutral),
        (Threading + "SpinWait.", Pauses),
        (Threading + "Tasks.Task.Delay", Pauses),
        (Threading + "Tasks.Task.Yield", Pauses),
        (Threading + "PeriodicTimer.", Pauses),
        (Threading + "WaitHandle.Wait", Pauses),
        (Threading + "ManualResetEventSlim.Wait", Pauses),
        (Threading + "CountdownEvent.Wait", Pauses),
        (Threading + "Monitor.Wait", Pauses),
        (Threading + "Interlocked.CompareExchange", Takes),
        (Threading + "Interlocked.Exchange", Takes),
        (Threading + "Interlocked.Read", Neutral),
        (Threading + "Interlocked.", Counts),
        (Threading + "Monitor.TryEnter", Takes),
        (Threading + "Lock.TryEnter", Takes),
        (Threading + "SpinLock.TryEnter", Takes),
        (Threading + "SemaphoreSlim.Wait", Takes),
        (Threading + "ReaderWriterLockSlim.TryEnter", Takes),
        (Threading + "Monitor.Exit", GivesBack),
        (Threading + "Lock.Exit", GivesBack),
        (Threading + "Lock+Scope.Dispose", GivesBack),
        (Threading + "SpinLock.Exit", GivesBack),
        (Threading + "SemaphoreSlim.Release", GivesBack),
        (Threading + "Mutex.ReleaseMutex", GivesBack),
        (Threading + "ReaderWriterLockSlim.Exit", GivesBack),
        (Threading + "CancellationToken", Token),
        (Threading + "Volatile.", Neutral),
        (Threading + "Tasks.Task.GetAwaiter", Neutral),
        (Threading + "Tasks.Task.ConfigureAwait", Neutral),
        (Threading + "Tasks.ValueTask", Neutral),
        ("System.Diagnostics.Stopwatch.", Clock),
        ("System.DateTime.", Clock),
        ("System.DateTimeOffset.", Clock),
        ("System.TimeProvider.", Clock),
        ("System.Environment.get_TickCount", Clock),
        ("System.Environment.get_", Neutral),
        ("System.TimeSpan.", Neutral),
        ("System.IDisposable.", Neutral),
        ("System.IAsyncDisposable.", Neutral),
        ("System.Runtime.CompilerServices.", Neutral),
        ("System.Console.Write", Neutral),
        ("System.Diagnostics.Debug.", Neutral),
        ("System.Diagnostics.Trace.", Neutral),
        ("Microsoft.Extensions.Logging.", Neutral),
        ("System.String.", Neutral),
        ("System.Object.", Neutral),
        ("System.Nullable.", Neutral),
        ("System.Math.", Neutral),
        ("System.Random.", Neutral),
        ("System.IntPtr.", Neutral),
    ];

    // What a loop looks at that keeps a program alive until it is asked to end.
    private static readonly string[] s_ends =
    [
        "stop", "cancel", "exit", "quit", "shutdown", "shut", "dispos", "clos", "abort", "terminat", "running", "alive", "keepgoing", "kill",
    ];

    /// <summary>Null for a method whose answer is not known.</summary>
    public static PollCall? Find(string? method)
    {
        if (method is not null)
        {
            foreach ((string start, PollCall meaning) in s_rows)
            {
                if (method.StartsWith(start, StringComparison.Ordinal))
                {
                    return meaning;
                }
            }
        }

        return null;
    }

    /// <summary>The field's own name says that it is how a loop is told to end: "App.Worker._stopping".</summary>
    public static bool IsOrderToEnd(string field)
    {
        ArgumentNullException.ThrowIfNull(field);
        string name = field[(field.LastIndexOf('.') + 1)..];
        return Array.Exists(s_ends, word => Has(name, word));
    }

    // A word of the name, not a part of one: "_depends" does not end.
    private static bool Has(string name, string word)
    {
        for (int at = name.IndexOf(word, StringComparison.OrdinalIgnoreCase); at >= 0; at = name.IndexOf(word, at + 1, StringComparison.OrdinalIgnoreCase))
        {
            if (at == 0 || !char.IsLetter(name[at - 1]) || char.IsUpper(name[at]) || (at == 2 && name[1] == '_'))
            {
                return word.Length > 3 || at + word.Length == name.Length || !char.IsLower(name[at + word.Length]);
            }
        }

        return false;
    }
}
