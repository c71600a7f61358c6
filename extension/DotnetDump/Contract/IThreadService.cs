namespace Microsoft.Diagnostics.DebugServices;

public interface IThreadService
{
    IEnumerable<IThread> EnumerateThreads();

    IThread GetThreadFromId(uint threadId);
}
