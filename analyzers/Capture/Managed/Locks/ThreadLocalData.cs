using HangTriage.Capture.Managed.Reading;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// Finds the runtime's per-thread data in its native Thread objects (.NET 9 and later). The structure is two 32-bit
/// counts and then pointers: two arrays, the Thread that it belongs to, data in flight, and ThreadBlockingInfo's t_first.
/// </summary>
/// <remarks>
/// Thread's own layout differs between versions (the pointer lies at 0x3a0 in 9.0.20 and at 0x238 in 10.0.12, x64), so it
/// is not assumed: the place is the one where a pointer leads to a structure that points back to the very Thread.
/// </remarks>
internal sealed class ThreadLocalData
{
    private const int ThreadSize = 0x1000;
    private const int CountLimit = 1_000_000;

    // Each costs a read for every word of a thread's object, all over the runtime's memory.
    private const int EnoughVoters = 16;

    private readonly IDataReader _reader;
    private readonly int _offsetInThread;

    private ThreadLocalData(IDataReader reader, int offsetInThread)
    {
        _reader = reader;
        _offsetInThread = offsetInThread;
    }

    /// <summary>Null where no place, or more than one, fits all threads.</summary>
    public static ThreadLocalData? Locate(IDataReader reader, IReadOnlyList<ClrThread> threads)
    {
        // Any word of a thread is tried as a pointer: what those that are none lead to is no loss.
        IDataReader guesses = IWatchedReader.Guessing(reader);
        Dictionary<int, int> votes = [];
        int voters = 0;
        for (int i = 0; i < threads.Count && voters < EnoughVoters; i++)
        {
            IReadOnlyList<int> places = PlacesIn(guesses, threads[i]);
            voters += places.Count > 0 ? 1 : 0;
            foreach (int place in places)
            {
                votes[place] = votes.GetValueOrDefault(place) + 1;
            }
        }

        // A place that fits by chance fits few threads; the right one fits all that have such data yet.
        int most = votes.Count == 0 ? 0 : votes.Values.Max();
        int[] best = [.. votes.Where(vote => vote.Value == most && threads.All(thread => FitsOrIsEmpty(vote.Value > 1 ? reader : guesses, thread, vote.Key))).Select(vote => vote.Key)];
        return best.Length == 1 ? new ThreadLocalData(reader, best[0]) : null;
    }

    private static IReadOnlyList<int> PlacesIn(IDataReader reader, ClrThread thread)
    {
        Span<byte> memory = new byte[ThreadSize];
        memory = memory[..reader.Read(thread.Address, memory)];
        List<int> places = [];
        for (int offset = 0; offset + reader.PointerSize <= memory.Length; offset += reader.PointerSize)
        {
            ulong pointer = reader.PointerSize == 8 ? BitConverter.ToUInt64(memory[offset..]) : BitConverter.ToUInt32(memory[offset..]);
            if (pointer > ushort.MaxValue && PointsBack(reader, pointer, thread.Address))
            {
                places.Add(offset);
            }
        }

        return places;
    }

    /// <summary>The address of t_first; 0 where the thread has no such data yet, so waits for nothing; null where it cannot be read.</summary>
    public ulong? FirstBlockingInfo(ClrThread thread)
    {
        if (!_reader.ReadPointer(thread.Address + (uint)_offsetInThread, out ulong data))
        {
            return null;
        }

        return data == 0 ? 0 : PointsBack(_reader, data, thread.Address) ? unchecked(data + 8 + (4 * (uint)_reader.PointerSize)) : null;
    }

    private static bool FitsOrIsEmpty(IDataReader reader, ClrThread thread, int offset)
        => reader.ReadPointer(thread.Address + (uint)offset, out ulong data) && (data == 0 || PointsBack(reader, data, thread.Address));

    private static bool PointsBack(IDataReader reader, ulong data, ulong thread)
    {
        // Any word of the thread is tried as a pointer, -1 too.
        ulong owner = unchecked(data + 8 + (2 * (uint)reader.PointerSize));
        return owner > data
            && reader.ReadPointer(owner, out ulong back)
            && back == thread
            && reader.Read(data, out int arrays)
            && arrays is >= 0 and < CountLimit
            && reader.Read(data + 4, out int collectible)
            && collectible is >= 0 and < CountLimit;
    }
}
