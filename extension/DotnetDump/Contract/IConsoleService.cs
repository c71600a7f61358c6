namespace Microsoft.Diagnostics.DebugServices;

/// <summary>Without its methods that write: they differ between hosts of one major version; those of CommandBase do not.</summary>
public interface IConsoleService
{
    CancellationToken CancellationToken { get; set; }
}
