namespace HangTriage.Facts.Calls;

/// <summary>Every family of rows, by the system that its calls are of.</summary>
public static class KnownCalls
{
    public static IReadOnlyList<CallTable> Windows
        => [WindowsCalls.Table, LockCalls.Table, LoaderCalls.Table, RemoteCalls.Table, WindowsFunctions.Table];

    public static IReadOnlyList<CallTable> Linux => [LinuxCalls.Table];

    public static IReadOnlyList<CallTable> DotNet => [DotNetCalls.Table, TaskCalls.Table, TableCalls.Table, Frameworks.Loops, OutsideCalls.Table];
}
