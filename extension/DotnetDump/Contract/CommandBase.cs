namespace Microsoft.Diagnostics.DebugServices;

public abstract class CommandBase
{
    [ServiceImport]
    public IServiceProvider Services { get; set; }

    [ServiceImport]
    public IConsoleService Console { get; set; }

    [CommandInvoke]
    public abstract void Invoke();

    /// <summary>Writes even where the command has been cancelled; WriteLine and its like throw OperationCanceledException then.</summary>
    protected void Write(string message) => throw null;
}
