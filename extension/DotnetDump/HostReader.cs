using System.Runtime.InteropServices;
using Microsoft.Diagnostics.DebugServices;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;

namespace HangTriage.DotnetDump;

/// <summary>The host's target as ClrMD sees one. The host's own reader lists no threads.</summary>
internal sealed class HostReader(IDataReader target, IThreadService threads) : IDataReader, IThreadReader
{
    public string DisplayName => target.DisplayName;

    public bool IsThreadSafe => target.IsThreadSafe;

    public OSPlatform TargetPlatform => target.TargetPlatform;

    public Architecture Architecture => target.Architecture;

    public int ProcessId => target.ProcessId;

    public int PointerSize => target.PointerSize;

    public IEnumerable<uint> EnumerateOSThreadIds() => threads.EnumerateThreads().Select(thread => thread.ThreadId);

    public ulong GetThreadTeb(uint osThreadId) => threads.GetThreadFromId(osThreadId).GetThreadTeb();

    public IEnumerable<ModuleInfo> EnumerateModules() => target.EnumerateModules();

    public bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context) => target.GetThreadContext(threadID, contextFlags, context);

    public int Read(ulong address, Span<byte> buffer) => target.Read(address, buffer);

    public bool Read<T>(ulong address, out T value)
        where T : unmanaged
        => target.Read(address, out value);

    public T Read<T>(ulong address)
        where T : unmanaged
        => target.Read<T>(address);

    public bool ReadPointer(ulong address, out ulong value) => target.ReadPointer(address, out value);

    public ulong ReadPointer(ulong address) => target.ReadPointer(address);

    public void FlushCachedData() => target.FlushCachedData();
}
