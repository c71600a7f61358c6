namespace HangTriage.Capture.Managed.Locks;

/// <summary>ThreadBlockingInfo.ObjectKind.</summary>
internal enum BlockingKind
{
    MonitorLock = 0,
    MonitorWait = 1,
    Lock = 2,
    Condition = 3,
}
