using System.Runtime.InteropServices;

namespace HangTriage.DbgEng;

/// <summary>What the user asked for, as the shim hands it over (native/request.h). The pointers hold during the call.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly unsafe struct TriageRequest
{
    private readonly nint _client;
    private readonly ulong _session;
    private readonly char* _dump;
    private readonly char* _json;
    private readonly char* _markdown;
    private readonly char* _trace;
    private readonly uint _isVerbose;
    private readonly uint _isDeep;
    private readonly uint _isHung;

    /// <summary>The IDebugClient of the command; the reference stays the caller's.</summary>
    public nint Client => _client;

    /// <summary>Another value once what the session shows may have changed: it came, went, ran or stopped.</summary>
    public ulong Session => _session;

    /// <summary>The dump file that the session is on; null for a live process.</summary>
    public string? Dump => Text(_dump);

    /// <summary>The file that gets the JSON report; null for none.</summary>
    public string? Json => Text(_json);

    /// <summary>The file that gets the incident report; null for none.</summary>
    public string? Markdown => Text(_markdown);

    /// <summary>A trace of the same time; null for none.</summary>
    public string? Trace => Text(_trace);

    public bool IsVerbose => _isVerbose != 0;

    public bool IsDeep => _isDeep != 0;

    /// <summary>The user says that the process hangs.</summary>
    public bool IsHung => _isHung != 0;

    private static string? Text(char* text) => text is null ? null : new string(text);
}
