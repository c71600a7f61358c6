namespace HangTriage.Capture.Managed;

/// <summary>ThreadBlockingInfo.ObjectKind.</summary>
internal enum BlockingKind
{
    MonitorLock = 0,
    MonitorWait = 1,
    Lock = 2,
    Condition = 3,
}
