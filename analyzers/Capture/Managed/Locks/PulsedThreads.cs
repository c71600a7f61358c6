using HangTriage.Capture.Managed.Reading;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// Which of the threads in Monitor.Wait have got their pulse and have yet to return: the runtime still records the wait, while the object no
/// longer lists the thread. By WaitEventLink and SyncBlock of the runtime's syncblk.h (native monitors: .NET Framework, .NET up to 10), found
/// by what they lead to, since their places in Thread and SyncBlock differ between versions.
/// </summary>
/// <param name="target">Read as it is: nothing that is looked at to find a link is missed.</param>
/// <param name="threads">The runtime's own objects for the threads that live.</param>
internal sealed class PulsedThreads(IDataReader target, IEnumerable<ulong> threads)
{
    private const int ThreadWords = 0xC0;
    private const int BlockWords = 0x10;
    private const int MostLinks = 4096;

    // WaitEventLink: the sync block (bit 0 is a mark), the event, the thread, the next link of the thread, the next of the object.
    private const int OwnerAt = 2;
    private const int NextOfObjectAt = 4;

    private readonly IDataReader _reader = IWatchedReader.Guessing(target);
    private readonly HashSet<ulong> _threads = [.. threads];
    private readonly Dictionary<(ulong Thread, ulong Block), int?> _links = [];

    private int Word => _reader.PointerSize;

    /// <summary>False also where the input does not tell.</summary>
    /// <param name="thread">It is in Monitor.Wait.</param>
    /// <param name="block">The sync block of the object, which begins with its native lock.</param>
    /// <param name="others">Threads in a Monitor.Wait, each with the sync block: they tell where the runtime keeps its links.</param>
    public bool IsPulsed(ulong thread, ulong block, IReadOnlyList<(ulong Thread, ulong Block)> others)
    {
        if (LinkAt(thread, block) is { } at)
        {
            return Follow(thread, at) is { } link && !Listed(block).Contains(link);
        }

        // Once it takes the lock anew its link is gone.
        return others.Select(other => LinkAt(other.Thread, other.Block)).FirstOrDefault(at => at is not null) is { } known
            && Follow(thread, known) == 0;
    }

    // Which word of the thread leads to its link for this object.
    private int? LinkAt(ulong thread, ulong block)
    {
        if (!_links.TryGetValue((thread, block), out int? at))
        {
            at = Enumerable.Range(1, ThreadWords - 1).Where(word => Follow(thread, word) is { } link && IsLink(link, block, thread))
                .Cast<int?>().FirstOrDefault();
            _links.Add((thread, block), at);
        }

        return at;
    }

    private bool IsLink(ulong link, ulong block, ulong thread)
        => link > (uint)Word && link % (uint)Word == 0 && (Follow(link, 0) & ~1UL) == block && Follow(link, OwnerAt) == thread;

    private HashSet<ulong> Listed(ulong block)
    {
        HashSet<ulong> links = [];
        for (int word = 1; word < BlockWords; word++)
        {
            ulong? next = Follow(block, word);
            while (next is > 0 and { } at && LinkOf(at) is { } link && IsOfBlock(link, block) && links.Count < MostLinks && links.Add(link))
            {
                next = Follow(at, 0);
            }
        }

        return links;
    }

    private bool IsOfBlock(ulong link, ulong block)
        => Follow(link, OwnerAt) is { } thread && _threads.Contains(thread) && IsLink(link, block, thread);

    private ulong? LinkOf(ulong nextOfObject)
        => nextOfObject > (uint)(NextOfObjectAt * Word) ? nextOfObject - (uint)(NextOfObjectAt * Word) : null;

    private ulong? Follow(ulong address, int word)
        => _reader.ReadPointer(unchecked(address + (uint)(word * Word)), out ulong value) ? value : null;
}
