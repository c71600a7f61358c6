namespace HangTriage.Facts;

/// <summary>A thread that alone runs what is posted to its synchronization context: that of a user interface, or one like it.</summary>
public sealed record UiThreadFacts
{
    public required ThreadId Thread { get; init; }

    /// <summary>
    /// The type of the context: "System.Windows.Forms.WindowsFormsSynchronizationContext"; "SynchronizationContext" where the
    /// target does not have its name.
    /// </summary>
    public required string ContextType { get; init; }

    public required Address Context { get; init; }

    /// <summary>The method on the thread's stack that takes what is posted; null where none was recognised.</summary>
    public string? Loop { get; init; }

    /// <summary>It is in a single-threaded COM apartment; always false outside Windows.</summary>
    public required bool IsSta { get; init; }

    /// <summary>Read for a context that names its thread; derived where one is concluded from the stack.</summary>
    public required Trust Trust { get; init; }

    /// <summary>How the context and the thread belong together.</summary>
    public required string Source { get; init; }
}
