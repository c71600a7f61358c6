namespace HangTriage.Capture;

/// <summary>The way to a process's .NET runtime, whoever opens it: a host that has it open already, or this tool with the runtime's library.</summary>
public interface IRuntimeDoor
{
    /// <returns>The runtime, which the caller disposes of; null, with the reason in one line, where it cannot be read here.</returns>
    /// <exception cref="Exception">ClrMD throws many kinds on what it does not understand.</exception>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    OpenedRuntime? Open(CaptureContext context, out string why);
}
