namespace HangTriage.Traces.Tags;

/// <summary>
/// The tags that every trace has. A frame without symbols reads module+offset, so that those of Windows go by module; a cause
/// goes before the mechanism that it waits by.
/// </summary>
internal static class BuiltInTags
{
    private const int Mechanism = 0;
    private const int Layer = 5;
    private const int Cause = 10;

    public static IReadOnlyList<StackTag> Rows { get; } =
    [
        .. Of("antivirus filter", Cause, "WdFilter.sys+*", "MsMpEng.exe+*", "mpengine.dll+*", "mpclient.dll+*", "csagent.sys+*", "SentinelMonitor.sys+*", "mfehidk.sys+*", "symefasi*.sys+*"),
        .. Of("file system filter", Layer, "fltmgr.sys+*"),
        .. Of("waiting for SQL", Cause, "Microsoft.Data.SqlClient.*", "System.Data.SqlClient.*", "Npgsql.*", "MySqlConnector.*", "MySql.Data.*", "Oracle.ManagedDataAccess.*", "Microsoft.Data.Sqlite.*"),
        .. Of("GC", Cause, "*gc_heap::*", "clrgc.dll+*", "System.GC.*", "*GarbageCollectGeneration*"),
        .. Of("JIT", Cause, "clrjit.dll+*", "libclrjit.so+*"),
        .. Of("message loop", Cause, "System.Windows.Forms.Application.RunMessageLoop*", "System.Windows.Forms.Application.Run*", "System.Windows.Threading.Dispatcher.PushFrame*", "win32u.dll!NtUserGetMessage*", "user32.dll!GetMessage*"),
        .. Of("HTTP", Layer, "System.Net.Http.*"),
        .. Of("network", Mechanism, "System.Net.Sockets.*", "System.Net.Security.*", "afd.sys+*", "tcpip.sys+*", "mswsock.dll+*"),
        .. Of("file", Mechanism, "System.IO.FileStream.*", "System.IO.RandomAccess.*", "ntfs.sys+*", "refs.sys+*"),
        .. Of("registry", Mechanism, "Microsoft.Win32.RegistryKey.*", "*!NtQueryValueKey*", "*!NtOpenKey*"),
        .. Of("waiting for a task", Mechanism, "System.Threading.Tasks.Task.*Wait*", "System.Runtime.CompilerServices.TaskAwaiter*GetResult*", "System.Runtime.CompilerServices.TaskAwaiter.HandleNonSuccess*"),
        .. Of("idle worker", Layer, "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart*WaitForRequest*", "System.Threading.LowLevelLifoSemaphore.*", "System.Threading.PortableThreadPool+GateThread.*"),
        .. Of("lock of .NET", Mechanism, "System.Threading.Monitor.*", "System.Threading.Lock.*", "System.Threading.ReaderWriterLock*"),
        .. Of("sleep", Mechanism, "System.Threading.Thread.Sleep*", "System.Threading.Thread.Delay*"),
    ];

    private static IEnumerable<StackTag> Of(string name, int priority, params string[] patterns) => patterns.Select(pattern => new StackTag(name, priority, pattern));
}
