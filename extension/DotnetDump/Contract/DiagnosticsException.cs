namespace Microsoft.Diagnostics.DebugServices;

public class DiagnosticsException : Exception
{
    public DiagnosticsException() => throw null;

    public DiagnosticsException(string message) => throw null;

    public DiagnosticsException(string message, Exception innerException) => throw null;
}
