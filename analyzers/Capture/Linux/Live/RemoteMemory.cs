using System.Runtime.InteropServices;

namespace HangTriage.Capture.Linux.Live;

/// <summary>Reads the memory of a process without stopping it.</summary>
internal static unsafe class RemoteMemory
{
    /// <returns>Bytes read; fewer than asked for where the rest cannot be read.</returns>
    public static int Read(int process, ulong address, Span<byte> buffer)
    {
        fixed (byte* start = buffer)
        {
            SystemCalls.MemoryRange local = new() { Start = (ulong)start, Length = (ulong)buffer.Length };
            SystemCalls.MemoryRange remote = new() { Start = address, Length = (ulong)buffer.Length };
            nint read = buffer.IsEmpty ? 0 : SystemCalls.ReadMemory(process, &local, 1, &remote, 1, 0);
            return read < 0 ? 0 : (int)read;
        }
    }

    /// <summary>Reads many ranges into one place, one behind the other.</summary>
    /// <param name="process">Whose.</param>
    /// <param name="ranges">At most <see cref="SystemCalls.RangesAtOnce"/>.</param>
    /// <param name="target">As large as all of them.</param>
    /// <param name="targetSize">Its bytes.</param>
    /// <returns>Bytes read: those of the first ranges, up to one that cannot be read.</returns>
    public static ulong Read(int process, ReadOnlySpan<SystemCalls.MemoryRange> ranges, byte* target, ulong targetSize)
    {
        SystemCalls.MemoryRange local = new() { Start = (ulong)target, Length = targetSize };
        fixed (SystemCalls.MemoryRange* remote = &MemoryMarshal.GetReference(ranges))
        {
            nint read = SystemCalls.ReadMemory(process, &local, 1, remote, (nuint)ranges.Length, 0);
            return read < 0 ? 0 : (ulong)read;
        }
    }
}
