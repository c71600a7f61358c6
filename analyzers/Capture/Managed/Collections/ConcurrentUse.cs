using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>
/// Recognises the exception by which .NET's collections say that a link led in a circle. Its text is of the process's
/// language, so it goes by the method that threw it.
/// </summary>
internal static class ConcurrentUse
{
    private const int InvalidOperation = unchecked((int)0x80131509); // COR_E_INVALIDOPERATION

    public static bool IsErrorOf(ClrThread thread)
    {
        try
        {
            return thread.CurrentException is { } error && IsError(error);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return false;
        }
    }

    public static bool IsError(ClrException error)
        => error.HResult == InvalidOperation && error.StackTrace.Any(frame => TableCalls.ReportsConcurrentUse(frame.Method?.Name));
}
