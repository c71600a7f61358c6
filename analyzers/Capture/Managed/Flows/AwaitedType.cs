using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>What is known of a type that is awaited.</summary>
internal sealed class AwaitedType
{
    private const string SourceCore = "System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore<";
    private const string PipePrefix = "System.IO.Pipelines.Pipe+";

    private AwaitedType(ClrType type, string name)
    {
        Name = name;
        Flags = type.GetFieldByName("m_continuationObject") is null ? -1 : FieldOffsets.Number(type, "m_stateFlags");
        Shape = ShapeOf(type, name, Flags >= 0);
        Inner = FieldOffsets.Reference(type, Shape == AwaitedShape.PipeEnd ? ["_pipe"] : ["_task", "_source"]);
        Timer = FieldOffsets.Reference(type, "_timer");
        Registration = type.GetFieldByName("_registration") is { } field ? FieldOffsets.References(field, 0).DefaultIfEmpty(-1).First() : -1;
        Completed = Flags < 0 ? CompletedOf(type) : -1;
        IsWriter = name.Contains("Writ", StringComparison.Ordinal) || name.Contains("VoidAsyncOperation", StringComparison.Ordinal);
    }

    public string Name { get; }

    public AwaitedShape Shape { get; }

    /// <summary>Offset of Task.m_stateFlags; -1 for what is no task.</summary>
    public int Flags { get; }

    /// <summary>Offset of the flag of a ManualResetValueTaskSourceCore that it has completed; -1 for none.</summary>
    public int Completed { get; }

    /// <summary>Offset of the awaitable that a wrapper stands for, or of the pipe.</summary>
    public int Inner { get; }

    /// <summary>Offset of the timer that ends it.</summary>
    public int Timer { get; }

    /// <summary>Offset of the registration with a cancellation token.</summary>
    public int Registration { get; }

    /// <summary>For a channel's operation and a pipe's end: it writes.</summary>
    public bool IsWriter { get; }

    public static AwaitedType Of(ClrType type) => new(type, type.Name ?? "?");

    private static AwaitedShape ShapeOf(ClrType type, string name, bool isTask)
    {
        return name switch
        {
            _ when StateMachine.IsNameOfBox(name) => AwaitedShape.Box,
            _ when type.GetFieldByName("<>v__promiseOfValueOrEnd") is not null => AwaitedShape.Iterator,
            _ when name.StartsWith("System.Threading.SemaphoreSlim+", StringComparison.Ordinal) => AwaitedShape.SemaphoreNode,
            _ when Contains("+DelayPromise") => AwaitedShape.Delay,
            _ when Contains("+CancellationPromise") || OperationTask.IsName(name) => AwaitedShape.Wrapper,
            _ when Contains("WhenAllPromise") || Contains("+CompleteOnCountdownPromise") => AwaitedShape.WhenAll,
            _ when Contains("WhenAnyPromise") || Contains("+CompleteOnInvokePromise") => AwaitedShape.WhenAny,
            _ when name.StartsWith("System.Threading.Channels.", StringComparison.Ordinal) => AwaitedShape.ChannelOperation,
            _ when name.StartsWith(PipePrefix, StringComparison.Ordinal) => AwaitedShape.PipeEnd,
            "System.Threading.PeriodicTimer+State" => AwaitedShape.PeriodicTimer,
            _ when InputOutput.IsType(name) => AwaitedShape.InputOutput,
            _ when name.StartsWith("System.Threading.Tasks.UnwrapPromise", StringComparison.Ordinal) => AwaitedShape.Unwrap,
            _ when isTask => AwaitedShape.Task,
            _ => AwaitedShape.Custom,
        };

        bool Contains(string part) => name.Contains(part, StringComparison.Ordinal);
    }

    private static int CompletedOf(ClrType type)
        => type.Fields.FirstOrDefault(field => field.IsValueType && field.Type?.Name?.StartsWith(SourceCore, StringComparison.Ordinal) == true)
            is { } core
            && FieldOffsets.Number(core.Type, "_completed") is >= 0 and int inner
                ? core.Offset + inner
                : -1;
}
