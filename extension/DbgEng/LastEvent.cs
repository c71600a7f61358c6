using HangTriage.Capture.Windows;
using HangTriage.DbgEng.Engine;
using HangTriage.Facts;

namespace HangTriage.DbgEng;

/// <summary>The event at which the session stands: that of a dump is the exception that it was written for.</summary>
internal static unsafe class LastEvent
{
    // DEBUG_USER_WINDOWS_SMALL_DUMP is the first of those of dumps.
    private const uint FirstDumpQualifier = 1024;

    /// <summary>Null where it ends no process, or is of another one.</summary>
    /// <param name="session">The session.</param>
    /// <param name="watch">Its interruption.</param>
    /// <param name="engineIds">The engine's numbers of the current process's threads, by their ids.</param>
    public static CrashFacts? Crash(DebugSession session, InterruptWatch watch, IReadOnlyDictionary<uint, uint> engineIds)
    {
        DebugLastException exception;
        if (!watch.Succeeded(session.Control.GetLastEventInformation(
                out uint type, out _, out uint engineId, &exception, (uint)sizeof(DebugLastException), null, null, 0, null))
            || type != DebugLastException.Event
            || (exception.FirstChance != 0 && !IsDump(session, watch)))
        {
            return null;
        }

        uint[] threads = [.. engineIds.Where(pair => pair.Value == engineId).Select(pair => pair.Key)];
        return threads is [uint thread] ? WindowsCrash.Of(exception.Code, thread) : null;
    }

    // Whether the process could still handle it is not in a dump.
    private static bool IsDump(DebugSession session, InterruptWatch watch)
        => watch.Succeeded(session.Control.GetDebuggeeType(out _, out uint qualifier)) && qualifier >= FirstDumpQualifier;
}
