using HangTriage.DbgEng.Engine;

namespace HangTriage.DbgEng;

/// <summary>Makes a thread the session's current one and gives the user's back at the end.</summary>
internal readonly ref struct CurrentThread
{
    private readonly IDebugSystemObjects2 _objects;
    private readonly InterruptWatch _watch;
    private readonly uint? _before;

    public CurrentThread(IDebugSystemObjects2 objects, uint engineId, InterruptWatch watch)
    {
        _objects = objects;
        _watch = watch;
        _before = watch.Succeeded(objects.GetCurrentThreadId(out uint before)) ? before : null;
        IsSet = _before is not null && watch.Succeeded(objects.SetCurrentThreadId(engineId));
    }

    public bool IsSet { get; }

    public void Dispose()
    {
        // A call that Ctrl+Break falls into does nothing; the next one does.
        if (_before is { } before && !_watch.Succeeded(_objects.SetCurrentThreadId(before)))
        {
            _ = _objects.SetCurrentThreadId(before);
        }
    }
}
