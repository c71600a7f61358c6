namespace Microsoft.Diagnostics.DebugServices;

public interface IModule
{
    string FileName { get; }
}
