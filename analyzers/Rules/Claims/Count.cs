using System.Globalization;

namespace HangTriage.Rules.Claims;

/// <summary>Writes counts: "1 thread", "25 threads", "3 threads wait".</summary>
public static class Count
{
    public static string Of(int count, string noun)
        => string.Create(CultureInfo.InvariantCulture, $"{count} {noun}{(count == 1 ? string.Empty : "s")}");

    /// <summary>As "1 more thread", "3 more threads".</summary>
    public static string More(int count, string noun = "thread") => Of(count, $"more {noun}");

    /// <summary>As "1 thread waits", "2 threads wait".</summary>
    public static string Waiting(int count, string noun = "thread") => $"{Of(count, noun)} {(count == 1 ? "waits" : "wait")}";
}
