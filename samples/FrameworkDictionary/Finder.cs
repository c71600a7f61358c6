namespace FrameworkDictionary;

/// <summary>A thread that looks for a session that is not there.</summary>
internal sealed class Finder
{
    // More steps than the table has entries: the lookup goes round.
    private const long MoreThanAll = 1000;

    private readonly Thread _thread;
    private volatile bool _isInside;

    public Finder(string name, Table<int, string> sessions, int number)
        => _thread = new Thread(() => sessions.FindEntry(number, steps => _isInside |= steps > MoreThanAll)) { Name = name, IsBackground = true };

    /// <summary>It has been round the table many times.</summary>
    public bool IsInside => _isInside;

    public void Start() => _thread.Start();

    public void Join() => _thread.Join();
}
