using System.Collections.Frozen;

namespace HangTriage.Facts.Calls;

/// <summary>The types of .NET whose methods wait, by their full names.</summary>
public static class DotNetTypes
{
    public const string Thread = "System.Threading.Thread";
    public const string Monitor = "System.Threading.Monitor";

    /// <summary>Made of a <see cref="WaitHandle"/>; since .NET 9.</summary>
    public const string Lock = "System.Threading.Lock";

    public const string WaitHandle = "System.Threading.WaitHandle";
    public const string SemaphoreSlim = "System.Threading.SemaphoreSlim";
    public const string ReaderWriterLockSlim = "System.Threading.ReaderWriterLockSlim";
    public const string ManualResetEventSlim = "System.Threading.ManualResetEventSlim";
    public const string CountdownEvent = "System.Threading.CountdownEvent";
    public const string Barrier = "System.Threading.Barrier";
    public const string SpinWait = "System.Threading.SpinWait";
    public const string SpinLock = "System.Threading.SpinLock";
    public const string Task = "System.Threading.Tasks.Task";

    private const string Threading = "System.Threading.";

    private static readonly FrozenSet<string> s_primitives = new[]
    {
        WaitHandle, Thread, SemaphoreSlim, ReaderWriterLockSlim, ManualResetEventSlim, CountdownEvent, Barrier,
    }.ToFrozenSet(StringComparer.Ordinal);

    // What lies between a primitive and the wait that it is made of: SemaphoreSlim.Wait waits for a task where others wait by await.
    private static readonly string[] s_between =
        [Monitor, Lock, "System.Threading.SynchronizationContext", Task, "System.Runtime.CompilerServices.TaskAwaiter"];

    /// <summary>A type that a program waits with and that no runtime records the waits of.</summary>
    public static bool IsPrimitive(string type) => s_primitives.Contains(type);

    /// <summary>A type whose methods such a primitive waits with, generic ones with whatever they are made of.</summary>
    public static bool IsPartOfPrimitive(string type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return Array.Exists(
            s_between, name => type.StartsWith(name, StringComparison.Ordinal) && (type.Length == name.Length || type[name.Length] == '<'));
    }

    /// <summary>A type whose methods yield or sleep between two tries, where they do not block.</summary>
    public static bool Pauses(string? type) => type is Thread or SpinWait;

    /// <summary>A method of a type that spins as long as its caller wants.</summary>
    public static bool IsSpinner(string? method) => IsOf(method, SpinWait) || IsOf(method, SpinLock);

    /// <summary>A method of System.Threading, which spins a bounded number of times before it blocks.</summary>
    public static bool IsThreading(string? method) => method?.StartsWith(Threading, StringComparison.Ordinal) == true;

    /// <summary>Parallel.For, ForEach and Invoke, whose own code the loop's body can be compiled into.</summary>
    public static bool IsParallelLoop(string? method)
        => method is not null
            && (method.StartsWith(Threading + "Tasks.Parallel", StringComparison.Ordinal)
            || method.StartsWith(Threading + "Tasks.TaskReplicator", StringComparison.Ordinal));

    private static bool IsOf(string? method, string type)
        => method is not null && method.Length > type.Length && method[type.Length] == '.' && method.StartsWith(type, StringComparison.Ordinal);
}
