using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using HangTriage.Capture.Live;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;

namespace HangTriage.Capture.Windows.Live;

/// <summary>
/// Shows a process as it was while it stood still. What it can write is read from the copy; what it cannot (code, constants,
/// files) from the process itself, which runs again.
/// </summary>
internal sealed class LiveWindowsReader : IDataReader, IThreadReader
{
    private readonly LiveWindowsCopy _copy;
    private readonly LivePages _constant;
    private readonly Dictionary<uint, LiveThread> _threads;

    public LiveWindowsReader(LiveWindowsCopy copy, IReadOnlyList<LiveImage> images)
    {
        _copy = copy;
        _constant = new LivePages(copy.Process.Read);
        Late = new LivePages(copy.Process.Read);
        _threads = copy.Threads.ToDictionary(thread => thread.Id);
        Modules = [.. images.Select(image => ModuleInfo.TryCreate(this, image.Start, image.Path)).OfType<ModuleInfo>()];
    }

    /// <summary>The images whose headers can be read.</summary>
    public IReadOnlyList<ModuleInfo> Modules { get; }

    /// <summary>What was read of writable memory after the process had continued, since there had been no time to copy it.</summary>
    public LivePages Late { get; }

    public string DisplayName => $"process {_copy.Process.Id}";

    public bool IsThreadSafe => false;

    public OSPlatform TargetPlatform => OSPlatform.Windows;

    public Architecture Architecture => Architecture.X64;

    public int ProcessId => (int)_copy.Process.Id;

    public int PointerSize => sizeof(ulong);

    public int Read(ulong address, Span<byte> buffer)
    {
        int read = 0;
        while (read < buffer.Length && _copy.Map.Find(unchecked(address + (uint)read)) is { IsReadable: true } region)
        {
            ulong at = address + (uint)read;
            Span<byte> rest = buffer[read..(int)Math.Min((ulong)buffer.Length, (ulong)read + (region.End - at))];
            int more = region.IsWritable ? ReadWritable(at, rest) : _constant.Read(at, rest);
            if (more == 0)
            {
                break;
            }

            read += more;
        }

        return read;
    }

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

    public bool ReadPointer(ulong address, out ulong value) => Read(address, out value);

    public ulong ReadPointer(ulong address) => Read<ulong>(address);

    public IEnumerable<ModuleInfo> EnumerateModules() => Modules;

    public IEnumerable<uint> EnumerateOSThreadIds() => _threads.Keys;

    public ulong GetThreadTeb(uint osThreadId) => _threads.TryGetValue(osThreadId, out LiveThread? thread) ? thread.Facts.Teb : 0;

    public bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context)
    {
        if (!_threads.TryGetValue(threadID, out LiveThread? thread) || thread.Context is not { } registers)
        {
            return false;
        }

        registers.AsSpan(0, Math.Min(registers.Length, context.Length)).CopyTo(context);
        return true;
    }

    public void FlushCachedData()
    {
        // It is one instant for good.
    }

    private int ReadWritable(ulong at, Span<byte> buffer)
    {
        int copied = _copy.Memory.Read(at, buffer);
        return copied > 0 ? copied
            : LeftOutUpTo(at) is ulong end ? Late.Read(at, buffer[..(int)Math.Min((ulong)buffer.Length, end - at)])
            : 0;
    }

    /// <summary>Where the range ends that was left out and has the address; null where none has.</summary>
    private ulong? LeftOutUpTo(ulong address)
    {
        int low = 0;
        int high = _copy.LeftOut.Count - 1;
        while (low <= high)
        {
            int middle = (low + high) >> 1;
            AddressRange range = _copy.LeftOut[middle];
            if (range.Contains(address))
            {
                return range.End;
            }

            (low, high) = address < range.Start ? (low, middle - 1) : (middle + 1, high);
        }

        return null;
    }
}
