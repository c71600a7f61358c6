using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Suspects;

/// <summary>The words for who alone could end a wait, and does not.</summary>
internal static class GiverText
{
    /// <summary>"which only Desk.OnMessage brings, where it waits"; null where others could end the wait, or that is not known.</summary>
    public static Claim? Of(WaitReach? reach) => reach switch
    {
        { FailedGiver: { } failed } => (Claim)$"which only {MethodText.Short(failed.Method)} brings, and that has failed{With(failed)}",
        { OwnGiver: { } own } => (Claim)$"which only {MethodText.Short(own.Method)} brings, where it waits",
        _ => null,
    };

    /// <summary>What the instructions of the program say of it; null where that is nothing.</summary>
    public static Claim? Evidence(Suspect suspect) => suspect switch
    {
        { FailedGiver: { } failed } => (Claim)$"only {MethodText.Short(failed.Method)} ends that wait; it has ended{With(failed)}, and nobody begins it again",
        { OwnGiver: { } own } => (Claim)$"only {MethodText.Short(own.Method)} ends that wait, and the wait is in it; {MethodText.Short(own.Loop)} calls it in a loop",
        _ => null,
    };

    /// <summary>"Desk.ServeAsync has failed with FormatException, and nobody begins it again".</summary>
    public static string Failed(FailedGiver failed)
        => $"{MethodText.Short(failed.Method)} has failed{With(failed)}, and nobody begins it again";

    private static string With(FailedGiver failed) => failed.Exception is { } type ? $" with {MethodText.Type(type)}" : string.Empty;
}
