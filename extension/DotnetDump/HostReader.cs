using HangTriage.Capture.Managed;
using Microsoft.Diagnostics.DebugServices;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;

namespace HangTriage.DotnetDump;

/// <summary>The host's target as ClrMD sees one. The host's own reader lists no threads.</summary>
internal sealed class HostReader(IDataReader target, IThreadService threads) : ForwardingReader(target), IThreadReader
{
    public IEnumerable<uint> EnumerateOSThreadIds() => threads.EnumerateThreads().Select(thread => thread.ThreadId);

    public ulong GetThreadTeb(uint osThreadId) => threads.GetThreadFromId(osThreadId).GetThreadTeb();
}
