using Samples;

namespace TaskWaits;

/// <summary>A named thread that blocks on a task, printed as the capture should see it.</summary>
internal sealed class Blocked
{
    private readonly Thread _thread;
    private readonly string _kind;
    private readonly Func<string> _ends;
    private readonly int _timeout;
    private volatile uint _osId;
    private volatile int _task;
    private volatile bool _waits;

    /// <param name="name">The thread's name.</param>
    /// <param name="kind">What kind of task it is; "-" where the thread waits for no task.</param>
    /// <param name="ends">Everything that the task needs in the end.</param>
    /// <param name="begin">Makes the task, on the thread itself.</param>
    /// <param name="wait">Blocks on it.</param>
    /// <param name="timeout">In milliseconds; -1 for none.</param>
    public Blocked(string name, string kind, Func<string> ends, Func<Task> begin, Action<Task> wait, int timeout = -1)
    {
        _kind = kind;
        _ends = ends;
        _timeout = timeout;
        _thread = new Thread(() =>
        {
            _osId = NativeThreadId.Current;
            Task task = begin();
            _task = task.Id;
            _waits = true;
            wait(task);
        })
        {
            Name = name,
            IsBackground = true,
        };
    }

    public bool IsBlocked => _waits && ThreadRest.IsAtRest(_thread, _osId);

    public uint OsId => _osId;

    public void Start() => _thread.Start();

    public override string ToString()
        => $"name={_thread.Name} osid=0x{_osId:x} managed={_thread.ManagedThreadId} task={_task} kind={_kind} timeout={_timeout} ends={_ends()}";
}
