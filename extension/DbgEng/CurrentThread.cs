using HangTriage.DbgEng.Engine;

namespace HangTriage.DbgEng;

/// <summary>Makes a thread the session's current one and gives the user's back at the end.</summary>
internal readonly ref struct CurrentThread
{
    private readonly IDebugSystemObjects2 _objects;
    private readonly uint? _before;

    public CurrentThread(IDebugSystemObjects2 objects, uint engineId)
    {
        _objects = objects;
        _before = objects.GetCurrentThreadId(out uint before) >= 0 ? before : null;
        IsSet = objects.SetCurrentThreadId(engineId) >= 0;
    }

    public bool IsSet { get; }

    public void Dispose()
    {
        if (_before is { } before)
        {
            _ = _objects.SetCurrentThreadId(before);
        }
    }
}
