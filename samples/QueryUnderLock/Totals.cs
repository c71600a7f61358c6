namespace QueryUnderLock;

/// <summary>Sums with PLINQ under a lock that each step of the sum takes.</summary>
internal sealed class Totals
{
    private readonly object _gate = new();

    /// <summary>A thread that computes a part of the sum.</summary>
    public volatile Thread? Worker;

    public int Sum()
    {
        lock (_gate)
        {
            return Enumerable.Range(0, 1_000).AsParallel().WithDegreeOfParallelism(2).Sum(Price);
        }
    }

    private int Price(int article)
    {
        Worker = Thread.CurrentThread;
        lock (_gate)
        {
            return article;
        }
    }
}
