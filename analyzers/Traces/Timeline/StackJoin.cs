using System.Runtime.InteropServices;

namespace HangTriage.Traces.Timeline;

/// <summary>
/// Joins stacks with the events that they belong to: a stack is an event of its own, which names its event's time and thread
/// and comes soon after it, the kernel's part first.
/// </summary>
internal sealed class StackJoin(StackTree tree)
{
    /// <summary>Events that wait for their stacks at once. Windows writes a stack within a few events; the program's part once the thread is back in it.</summary>
    private const int MostOpen = 16 * 1024;

    private const int Buckets = MostOpen * 2;

    // A ring of places that are used again, and chains of those with one hash: every sample and switch comes through here.
    private readonly OpenStack[] _ring = new OpenStack[MostOpen];
    private readonly OpenStack?[] _chains = new OpenStack?[Buckets];
    private int _first;
    private int _count;

    public long Walks { get; private set; }

    public long Joined { get; private set; }

    /// <summary>Asks for the stack of an event.</summary>
    /// <param name="time">The event's, in the trace's own clock.</param>
    /// <param name="tid">The thread whose stack it is.</param>
    /// <param name="taker">Gets it once, empty where the trace has none; null where nobody wants it.</param>
    /// <param name="ip">What the taker gets with it.</param>
    /// <param name="samples">What the taker gets with it.</param>
    public void Ask(long time, uint tid, IStackTaker? taker, ulong ip = 0, uint samples = 0)
    {
        if (_count == MostOpen)
        {
            CloseFirst();
        }

        if (Find(time, tid) is { } open)
        {
            (open.Others ??= []).Add((taker, ip, samples));
            return;
        }

        OpenStack place = _ring[(_first + _count++) % MostOpen] ??= new OpenStack();
        ref OpenStack? chain = ref _chains[BucketOf(time, tid)];
        place.Begin(time, tid, (taker, ip, samples), chain);
        chain = place;
    }

    public void Walk(long time, uint tid, ReadOnlySpan<ulong> frames)
    {
        Walks++;
        if (Find(time, tid) is { } open)
        {
            Joined++;
            (open.Frames ??= []).AddRange(frames);
        }
    }

    public void Key(long time, uint tid, ulong key, bool isKernel)
    {
        tree.Refer(key);
        if (Find(time, tid) is { } open)
        {
            open.Keys = isKernel ? open.Keys with { KernelKey = key } : open.Keys with { UserKey = key };
        }
    }

    public void CloseAll()
    {
        while (_count > 0)
        {
            CloseFirst();
        }
    }

    private static int BucketOf(long time, uint tid) => (int)(((ulong)(time + ((long)tid << 32)) * 0x9E37_79B9_7F4A_7C15) >> 49) % Buckets;

    private OpenStack? Find(long time, uint tid)
    {
        OpenStack? open = _chains[BucketOf(time, tid)];
        while (open is not null && (open.Time != time || open.Tid != tid))
        {
            open = open.Next;
        }

        return open;
    }

    private void CloseFirst()
    {
        OpenStack open = _ring[_first];
        _first = (_first + 1) % MostOpen;
        _count--;
        Unchain(open);
        open.Close(open.Keys with { Node = tree.Add(CollectionsMarshal.AsSpan(open.Frames)) });
    }

    private void Unchain(OpenStack open)
    {
        ref OpenStack? at = ref _chains[BucketOf(open.Time, open.Tid)];
        if (ReferenceEquals(at, open))
        {
            at = open.Next;
            return;
        }

        OpenStack? before = at;
        while (before is not null && !ReferenceEquals(before.Next, open))
        {
            before = before.Next;
        }

        if (before is not null)
        {
            before.Next = open.Next;
        }
    }
}
