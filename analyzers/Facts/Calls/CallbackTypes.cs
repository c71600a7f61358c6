namespace HangTriage.Facts.Calls;

/// <summary>The types of delegates that .NET itself calls when something happens outside the program's own code: timers, signals, watchers.</summary>
public static class CallbackTypes
{
    private static readonly string[] s_types =
    [
        "System.Threading.TimerCallback", "System.Timers.ElapsedEventHandler", "System.Threading.WaitOrTimerCallback", "System.Threading.IOCompletionCallback",
        "System.Threading.SendOrPostCallback", "System.ConsoleCancelEventHandler", "System.IO.FileSystemEventHandler", "System.IO.RenamedEventHandler",
        "System.Diagnostics.DataReceivedEventHandler", "System.EventHandler", "System.Action<System.Runtime.InteropServices.PosixSignalContext>",
        "Microsoft.AspNetCore.Http.RequestDelegate", "System.AsyncCallback",
    ];

    // What is queued for the pool, continues a task or handles an event.
    private static readonly string[] s_work = ["System.Action", "System.Action<System.Object>", "System.Threading.WaitCallback", "System.Func<System.Object>"];

    private static readonly string[] s_workOf = ["System.Action<System.Threading.Tasks.Task", "System.Func<System.Threading.Tasks.Task", "System.Action<System.Object, ", "System.Func<System.Object, "];

    private static readonly string[] s_kept = ["System.Action<", "System.Func<", "System.Predicate<"];

    private static readonly string[] s_starts = ["System.Threading.ThreadStart", "System.Threading.ParameterizedThreadStart"];

    /// <summary>
    /// The same, and those of work that is queued for the pool or continues a task. Delegates of other types are called by the
    /// program's own code alone.
    /// </summary>
    public static bool ContainsWork(string? type)
        => type is not null
            && (Contains(type)
                || type.Contains("EventHandler", StringComparison.Ordinal)
                || Array.IndexOf(s_work, type) >= 0
                || Array.Exists(s_workOf, known => type.StartsWith(known, StringComparison.Ordinal))
                || (type.StartsWith("System.Func<", StringComparison.Ordinal) && !type.Contains(',', StringComparison.Ordinal)));

    /// <summary>The same, and those that anybody may keep and call, as who observes a sequence keeps an Action of its items.</summary>
    public static bool ContainsKept(string? type)
        => ContainsWork(type) || (type is not null && Array.Exists(s_kept, known => type.StartsWith(known, StringComparison.Ordinal)));

    /// <summary>What starts a thread is run by that thread, and by nobody else.</summary>
    public static bool StartsThread(string type) => Array.IndexOf(s_starts, type) >= 0;

    public static bool Contains(string? type) => type is not null && Array.Exists(s_types, known => type.StartsWith(known, StringComparison.Ordinal));
}
