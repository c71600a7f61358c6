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
    private const int None = -1;

    // A ring of places that are used again, and chains of those with one hash. Every sample and switch comes through here: what
    // a search reads lies close together.
    private readonly (long Time, uint Tid, int Next)[] _keys = new (long, uint, int)[MostOpen];
    private readonly OpenStack[] _open = new OpenStack[MostOpen];
    private readonly int[] _chains = [.. Enumerable.Repeat(None, Buckets)];
    private int _first;
    private int _count;

    public long Walks { get; private set; }

    public long Joined { get; private set; }

    /// <summary>The trace has stacks.</summary>
    public bool HasAny => Walks > 0 || tree.References > 0;

    /// <summary>False where as many events as can wait for their stacks do, and none has come: the trace has none so far.</summary>
    public bool AreExpected => _count < MostOpen || HasAny;

    /// <summary>Asks for the stack of an event.</summary>
    /// <param name="time">The event's, in the trace's own clock.</param>
    /// <param name="tid">The thread whose stack it is.</param>
    /// <param name="taker">Gets it once, empty where the trace has none; null where nobody wants it.</param>
    /// <param name="ip">What the taker gets with it.</param>
    /// <param name="samples">What the taker gets with it.</param>
    public void Ask(long time, uint tid, IStackTaker? taker, ulong ip = 0, uint samples = 0)
    {
        if (!AreExpected)
        {
            taker?.Take(default, ip, samples);
            return;
        }

        if (_count == MostOpen)
        {
            CloseFirst();
        }

        int bucket = BucketOf(time, tid);
        int found = Find(bucket, time, tid);
        if (found != None)
        {
            (_open[found].Others ??= []).Add((taker, ip, samples));
            return;
        }

        int place = (_first + _count++) % MostOpen;
        _keys[place] = (time, tid, _chains[bucket]);
        _chains[bucket] = place;
        (_open[place] ??= new OpenStack()).Begin(taker, ip, samples);
    }

    public void Walk(long time, uint tid, ReadOnlySpan<ulong> frames)
    {
        Walks++;
        int found = Find(BucketOf(time, tid), time, tid);
        if (found != None)
        {
            Joined++;
            (_open[found].Frames ??= []).AddRange(frames);
        }
    }

    public void Key(long time, uint tid, ulong key, bool isKernel)
    {
        tree.Refer(key);
        int found = Find(BucketOf(time, tid), time, tid);
        if (found != None)
        {
            OpenStack open = _open[found];
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

    private int Find(int bucket, long time, uint tid)
    {
        int at = _chains[bucket];
        while (at != None && (_keys[at].Time != time || _keys[at].Tid != tid))
        {
            at = _keys[at].Next;
        }

        return at;
    }

    private void CloseFirst()
    {
        int place = _first;
        _first = (_first + 1) % MostOpen;
        _count--;
        ref int at = ref _chains[BucketOf(_keys[place].Time, _keys[place].Tid)];
        while (at != place)
        {
            at = ref _keys[at].Next;
        }

        at = _keys[place].Next;
        OpenStack open = _open[place];
        open.Close(open.Keys with { Node = tree.Add(CollectionsMarshal.AsSpan(open.Frames)) });
    }
}
