namespace HangTriage.Capture.Managed.Tasks;

/// <summary>Types of objects that stand for an operation of the system that is under way.</summary>
internal static class InputOutput
{
    public static bool IsType(string? type)
        => type is not null
            && (type.StartsWith("System.Net.Sockets.", StringComparison.Ordinal)
                || type.StartsWith("System.IO.Pipes.", StringComparison.Ordinal)
                || type.Contains("SafeFileHandle+", StringComparison.Ordinal)
                || type is "System.Threading.OverlappedData" or "System.Threading.PreAllocatedOverlapped" or "System.Threading.ThreadPoolBoundHandleOverlapped");
}
