namespace HangTriage.Facts.Calls;

/// <summary>
/// The methods of .NET that wait for tasks or run them. Those without a type are found by name alone: Task, Task&lt;T&gt;,
/// their awaiters and their kin have them.
/// </summary>
public static class TaskCalls
{
    /// <summary>Of the methods that block, the one that needs all of its tasks.</summary>
    public const string BlocksOnAll = "WaitAllBlockingCore";

    /// <summary>What makes a task for an operation of a channel, a pipe, a timer or a socket: the task is named by it.</summary>
    public const string OfOperation = "System.Threading.Tasks.ValueTask.AsTask";

    private const string TaskSource = "dotnet/runtime: Task.cs";
    private const string RunSource = "dotnet/runtime: Task.cs, TaskContinuation.cs, AsyncTaskMethodBuilderT.cs";
    private const string Wait = "Task.Wait";
    private const string WaitAll = "Task.WaitAll";
    private const string WaitAny = "Task.WaitAny";
    private const string Result = "Task.Result";
    private const string GetResult = "GetAwaiter().GetResult()";

    public static CallTable Table { get; } = new(
    [
        OfTask("SpinThenBlockingWait", CallMeaning.BlocksOnTask),
        OfTask(BlocksOnAll, CallMeaning.BlocksOnTask) with { Title = WaitAll },
        OfTask("InternalWaitCore", CallMeaning.WaitsForTask),
        OfTask("InternalWait", CallMeaning.WaitsForTask) with { Title = Wait },
        OfTask("WaitAllCore", CallMeaning.WaitsForTask) with { Title = WaitAll },
        // It waits for a task of its own.
        OfTask("WaitAnyCore", CallMeaning.EntersTaskWait) with { Title = WaitAny },
        OfTask("Wait", CallMeaning.EntersTaskWait) with { Title = Wait, End = CallEnd.ByOverload },
        OfTask("WaitAll", CallMeaning.EntersTaskWait) with { Title = WaitAll, End = CallEnd.ByOverload },
        OfTask("WaitAny", CallMeaning.EntersTaskWait) with { Title = WaitAny, End = CallEnd.ByOverload },
        Any("get_Result", CallMeaning.EntersTaskWait) with { Title = Result, End = CallEnd.Never },
        Any("GetResultCore", CallMeaning.EntersTaskWait) with { Title = Result, End = CallEnd.Never },
        Any("GetResult", CallMeaning.EntersTaskWait) with { Title = GetResult, End = CallEnd.Never },
        Any("HandleNonSuccessAndDebuggerNotification", CallMeaning.EntersTaskWait) with { Title = GetResult, End = CallEnd.Never },
        Any("ExecuteWithThreadLocal", CallMeaning.RunsTask),
        Any("InnerInvoke", CallMeaning.RunsTask),
        Any("ExecuteEntryUnsafe", CallMeaning.RunsTask),
        Any("ExecuteEntry", CallMeaning.RunsTask),
        Any("ExecuteFromThreadPool", CallMeaning.RunsTask),
    ]);

    /// <summary>The row of a method of that type, or of whatever type where the row has none; null for others.</summary>
    public static KnownCall? Find(string? type, string? method) => Table.Find(type, method) ?? Table.Find(method);

    /// <summary>The row of a method by its full name, with or without its signature; null for others.</summary>
    public static KnownCall? Find(string? method)
    {
        string? name = method is null ? null : CallNames.WithoutSignature(method);
        return name?.LastIndexOf('.') is > 0 and int end ? Find(name[..end], name[(end + 1)..]) : null;
    }

    private static KnownCall OfTask(string name, CallMeaning meaning) => new(name, meaning, TaskSource) { Type = DotNetTypes.Task };

    private static KnownCall Any(string name, CallMeaning meaning) => new(name, meaning, meaning == CallMeaning.RunsTask ? RunSource : TaskSource);
}
