namespace HangTriage.Facts;

public enum LockKind
{
    /// <summary>The critical section that the Windows loader holds while it calls DllMain.</summary>
    LoaderLock,

    /// <summary>A Windows RTL_CRITICAL_SECTION.</summary>
    CriticalSection,

    /// <summary>The monitor of a managed object (C# <c>lock</c> on an object).</summary>
    Monitor,

    /// <summary>A System.Threading.Lock.</summary>
    ManagedLock,
}
