using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>A target as another reader shows it, for those who change a part of that.</summary>
public abstract class ForwardingReader(IDataReader target) : IDataReader
{
    protected IDataReader Target => target;

    public string DisplayName => target.DisplayName;

    public bool IsThreadSafe => target.IsThreadSafe;

    public OSPlatform TargetPlatform => target.TargetPlatform;

    public Architecture Architecture => target.Architecture;

    public int ProcessId => target.ProcessId;

    public int PointerSize => target.PointerSize;

    public virtual IEnumerable<ModuleInfo> EnumerateModules() => target.EnumerateModules();

    public virtual bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context) => target.GetThreadContext(threadID, contextFlags, context);

    public virtual int Read(ulong address, Span<byte> buffer) => target.Read(address, buffer);

    public bool Read<T>(ulong address, out T value)
        where T : unmanaged
    {
        Span<byte> buffer = stackalloc byte[Unsafe.SizeOf<T>()];
        bool isWhole = Read(address, buffer) == buffer.Length;
        value = isWhole ? MemoryMarshal.Read<T>(buffer) : default;
        return isWhole;
    }

    public T Read<T>(ulong address)
        where T : unmanaged
        => Read(address, out T value) ? value : default;

    public bool ReadPointer(ulong address, out ulong value)
    {
        if (PointerSize == sizeof(ulong))
        {
            return Read(address, out value);
        }

        bool isWhole = Read(address, out uint narrow);
        value = narrow;
        return isWhole;
    }

    public ulong ReadPointer(ulong address) => ReadPointer(address, out ulong value) ? value : 0;

    public void FlushCachedData() => target.FlushCachedData();
}
