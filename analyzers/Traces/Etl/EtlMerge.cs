namespace HangTriage.Traces.Etl;

/// <summary>The open buffers as a binary heap: the one with the earliest next event first; of two the one that began earlier.</summary>
internal sealed class EtlMerge
{
    private readonly Stack<int> _free = new();
    private Turn[] _heap = new Turn[16];
    private EtlBuffer?[] _buffers = new EtlBuffer?[16];

    public int Count { get; private set; }

    public EtlBuffer First => _buffers[_heap[0].Place]!;

    /// <summary>The next event's time of the first buffer.</summary>
    public long FirstTime => _heap[0].Time;

    /// <summary>The next event's time of the buffer that comes after the first; the latest of all times where there is none.</summary>
    public long SecondTime => Count > 2 ? Math.Min(_heap[1].Time, _heap[2].Time) : Count == 2 ? _heap[1].Time : long.MaxValue;

    public void Add(EtlBuffer buffer, int order)
    {
        if (Count == _heap.Length)
        {
            Array.Resize(ref _heap, Count * 2);
            Array.Resize(ref _buffers, Count * 2);
        }

        Turn added = new(buffer.NextTime, order, _free.TryPop(out int place) ? place : Count);
        _buffers[added.Place] = buffer;
        int at = Count++;
        for (int parent = (at - 1) / 2; at > 0 && added.IsBefore(_heap[parent]); parent = (at - 1) / 2)
        {
            _heap[at] = _heap[parent];
            at = parent;
        }

        _heap[at] = added;
    }

    /// <summary>The first buffer has another next event: it goes to its new place.</summary>
    public void Renew() => Sink(_heap[0] with { Time = First.NextTime });

    public void RemoveFirst()
    {
        _buffers[_heap[0].Place] = null;
        _free.Push(_heap[0].Place);
        Turn last = _heap[--Count];
        if (Count > 0)
        {
            Sink(last);
        }
    }

    private void Sink(Turn moved)
    {
        Span<Turn> heap = _heap.AsSpan(0, Count);
        int at = 0;
        for (int child = 1; child < heap.Length; child = (2 * at) + 1)
        {
            if (child + 1 < heap.Length && heap[child + 1].IsBefore(heap[child]))
            {
                child++;
            }

            if (!heap[child].IsBefore(moved))
            {
                break;
            }

            heap[at] = heap[child];
            at = child;
        }

        heap[at] = moved;
    }

    /// <param name="Time">Of the buffer's next event.</param>
    /// <param name="Order">The buffer's among all of the file.</param>
    /// <param name="Place">Where the buffer is kept.</param>
    private readonly record struct Turn(long Time, int Order, int Place)
    {
        public bool IsBefore(in Turn other) => Time < other.Time || (Time == other.Time && Order < other.Order);
    }
}
