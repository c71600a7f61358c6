using Samples;

namespace HashTables;

/// <summary>A thread that stays inside a damaged table forever: in a method of it that has no more use for the table itself.</summary>
internal sealed class Asker : IEqualityComparer<int>
{
    private const int Count = 20;

    private readonly HashSet<int> _asked;
    private volatile bool _stays;

    public Asker()
    {
        _asked = new HashSet<int>(Enumerable.Range(0, Count), this);
        Entries.SetField(_asked, 3, "Next", 3);
    }

    public object Table => _asked;

    /// <summary>Returns when the thread is inside.</summary>
    public void Ask()
    {
        Thread thread = new(Stay) { Name = "asker", IsBackground = true };
        _stays = true;
        thread.Start();
        SpinWait.SpinUntil(() => ThreadRest.IsAtRest(thread));
    }

    public bool Equals(int x, int y)
    {
        if (_stays)
        {
            Thread.Sleep(Timeout.Infinite);
        }

        return x == y;
    }

    public int GetHashCode(int obj) => obj;

    private void Stay() => _asked.Contains(3);
}
