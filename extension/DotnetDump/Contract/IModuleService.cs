namespace Microsoft.Diagnostics.DebugServices;

public interface IModuleService
{
    IModule EntryPointModule { get; }
}
