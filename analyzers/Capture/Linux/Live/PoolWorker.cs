using System.Globalization;
using System.Runtime.InteropServices;

namespace HangTriage.Capture.Linux.Live;

/// <summary>A worker of .NET's thread pool, as far as it can be seen without stopping it.</summary>
internal static class PoolWorker
{
    // What the runtime calls it.
    private const string Name = ".NET TP Worker";

    /// <summary>
    /// It waits without a time limit, which a worker without work does not: that one ends when nothing has come for some seconds. Null for
    /// other threads, and where this user may not know.
    /// </summary>
    /// <param name="thread">The thread's name.</param>
    /// <param name="folder">Its folder in /proc.</param>
    public static bool? IsBlocked(string thread, string folder)
        => thread == Name && RuntimeInformation.OSArchitecture == Architecture.X64 && ProcFile.Text(folder + "syscall") is { } call
            ? IsEndless(call)
            : null;

    /// <param name="call">The number of the call and its six arguments, or "running".</param>
    internal static bool IsEndless(string call)
    {
        string[] words = call.Split(' ');
        return words.Length > 6
            && uint.TryParse(words[0], NumberStyles.None, CultureInfo.InvariantCulture, out uint number)
            && SystemCallTimeouts.Of(number, Argument(words[2]), Argument(words[3]), Argument(words[4]), Argument(words[5])) == false;
    }

    private static ulong Argument(string word)
        => word.StartsWith("0x", StringComparison.Ordinal)
            && ulong.TryParse(word.AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out ulong value) ? value : 0;
}
