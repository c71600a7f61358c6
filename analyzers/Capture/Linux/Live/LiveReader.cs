using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;
using HangTriage.Capture.Live;
using HangTriage.Capture.Managed;
using HangTriage.Capture.Managed.Reading;

namespace HangTriage.Capture.Linux.Live;

/// <summary>
/// Shows a process as it was while it stood still. What it can write is read from the copy; what it cannot (code, constants,
/// files) from the process itself, which runs again.
/// </summary>
internal sealed class LiveReader(LiveCopy copy) : IDataReader, IThreadReader, IContextStandIn, ITypeGuessReader
{
    private readonly Dictionary<uint, byte[]> _standIns = [];
    private readonly LivePages _constant = new((address, buffer) => RemoteMemory.Read(copy.Process, address, buffer));
    private readonly LivePages _late = new((address, buffer) => RemoteMemory.Read(copy.Process, address, buffer));

    public string DisplayName => $"process {copy.Process}";

    public bool IsThreadSafe => false;

    public OSPlatform TargetPlatform => OSPlatform.Linux;

    public Architecture Architecture => Architecture.X64;

    public int ProcessId => copy.Process;

    public int PointerSize => sizeof(ulong);

    public bool GuessesTypes { get; set; }

    /// <summary>What was read of writable memory after the process had continued, since there had been no time to copy it.</summary>
    public LivePages Late => _late;

    public int Read(ulong address, Span<byte> buffer)
    {
        int read = 0;
        while (read < buffer.Length && copy.Maps.Find(address + (uint)read) is { IsReadable: true } map)
        {
            ulong at = address + (uint)read;
            Span<byte> rest = buffer[read..(int)Math.Min((ulong)buffer.Length, (ulong)read + (map.End - at))];
            int more = map.IsWritable ? ReadWritable(map, at, rest) : _constant.Read(at, rest);
            if (more == 0)
            {
                break;
            }

            read += more;
        }

        return GuessesTypes && TypeGuesses.IsBrokenTable(buffer[..read], this) ? 0 : read;
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

    public IEnumerable<ModuleInfo> EnumerateModules()
    {
        HashSet<string> seen = [];
        foreach (MemoryMap map in copy.Maps.All.Where(map => map is { IsOfFile: true, FileOffset: 0, IsReadable: true }))
        {
            if (!map.Path.StartsWith("/dev/", StringComparison.Ordinal) && seen.Add(map.Path) && ModuleInfo.TryCreate(this, map.Start, map.Path) is { } module)
            {
                yield return module;
            }
        }
    }

    public IEnumerable<uint> EnumerateOSThreadIds() => copy.Threads.Keys;

    public ulong GetThreadTeb(uint osThreadId) => 0;

    public bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context)
        => _standIns.TryGetValue(threadID, out byte[]? other) ? other.AsSpan().TryCopyTo(context)
            : copy.Registers.TryGetValue(threadID, out byte[]? registers) && ThreadRegistersX64.WriteContext(registers, context);

    public void StandIn(uint thread, byte[] context) => _standIns[thread] = context;

    public bool HasStandIn(uint thread) => _standIns.ContainsKey(thread);

    public void FlushCachedData()
    {
        // It is one instant for good.
    }

    private int ReadWritable(MemoryMap map, ulong at, Span<byte> buffer)
    {
        int copied = copy.Memory.Read(at, buffer);
        if (copied > 0)
        {
            return copied;
        }

        if (LeftOutUpTo(at) is ulong end)
        {
            return _late.Read(at, buffer[..(int)Math.Min((ulong)buffer.Length, end - at)]);
        }

        // Such a page held nothing: of no file it is zero, of a file it is as the file has it.
        Span<byte> page = buffer[..(int)Math.Min((ulong)buffer.Length, PageTable.PageSize - (at % PageTable.PageSize))];
        if (!map.IsAnonymous)
        {
            return _constant.Read(at, page);
        }

        page.Clear();
        return page.Length;
    }

    /// <summary>Where the range ends that was left out and has the address; null where none has.</summary>
    private ulong? LeftOutUpTo(ulong address)
    {
        int low = 0;
        int high = copy.LeftOut.Count - 1;
        while (low <= high)
        {
            int middle = (low + high) >> 1;
            SystemCalls.MemoryRange range = copy.LeftOut[middle];
            if (address < range.Start)
            {
                high = middle - 1;
            }
            else if (address - range.Start >= range.Length)
            {
                low = middle + 1;
            }
            else
            {
                return range.Start + range.Length;
            }
        }

        return null;
    }
}
