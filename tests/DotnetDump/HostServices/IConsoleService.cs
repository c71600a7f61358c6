namespace Microsoft.Diagnostics.DebugServices;

public interface IConsoleService
{
    CancellationToken CancellationToken { get; set; }

    void Write(string value);
}
