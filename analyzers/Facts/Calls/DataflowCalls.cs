namespace HangTriage.Facts.Calls;

/// <summary>The blocks of System.Threading.Tasks.Dataflow, as the sources of .NET 8 to 10 have them.</summary>
public static class DataflowCalls
{
    /// <summary>The types of the blocks begin so.</summary>
    public const string Blocks = "System.Threading.Tasks.Dataflow.";

    private const string Completion = "System.Threading.Tasks.Task<" + Blocks;

    /// <summary>The fields by which a block leads to the task that is its Completion.</summary>
    public static IReadOnlyList<string> Parts { get; } =
        ["_defaultTarget", "_spscTarget", "_target", "_source", "_completionSource", "_completionTask", "_lazyCompletionTaskSource", "_task"];

    // What SendAsync returns.
    private const string Sent = "System.Threading.Tasks.Task<System.Boolean>";

    /// <summary>The task may be what a block that is behind with its items completes: its Completion, or the sending of an item.</summary>
    public static bool MayBeOfBlock(string? type) => IsCompletion(type) || type == Sent;

    /// <summary>The type of the task that is the Completion of a block.</summary>
    public static bool IsCompletion(string? type) => type?.StartsWith(Completion, StringComparison.Ordinal) == true;
}
