namespace Microsoft.Diagnostics.DebugServices;

public interface IThread
{
    uint ThreadId { get; }

    ulong GetThreadTeb();
}
