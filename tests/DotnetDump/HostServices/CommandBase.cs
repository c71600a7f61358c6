namespace Microsoft.Diagnostics.DebugServices;

public abstract class CommandBase
{
    [ServiceImport]
    public IServiceProvider Services { get; set; }

    [ServiceImport]
    public IConsoleService Console { get; set; }

    [CommandInvoke]
    public abstract void Invoke();

    protected void Write(string message) => Console.Write(message);
}
