namespace BlockedFinalizer;

/// <summary>Leaves the list of open sessions when it is finalized, under the list's lock.</summary>
internal sealed class Session
{
    public static readonly List<int> Open = [];

    private readonly int _number;

    public Session(int number)
    {
        _number = number;
        Open.Add(number);
    }

    ~Session()
    {
        Thread.CurrentThread.Name ??= "finalizer";
        Program.Finalizer = Thread.CurrentThread;
        lock (Open)
        {
            Open.Remove(_number);
        }
    }
}
