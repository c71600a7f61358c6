using HangTriage.Facts;
using HangTriage.Facts.Time;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports;

/// <summary>The words for how long something has lasted.</summary>
internal static class AgeText
{
    /// <summary>"at least 4 min 12 s (noted by the monitor)"; null where no age is known.</summary>
    public static string? Since(Age? age)
    {
        string most = age is { AtMost: { } bound } && !age.IsExact() ? $", at most {Durations.Of(bound)}" : string.Empty;
        return age is null ? null : $"at least {Durations.Of(age.AtLeast)}{most} ({age.Source})";
    }

    /// <summary>The group in words, with how long it has waited.</summary>
    public static string WithAge(FlowGroup group) => FlowText.Of(group) + Of(group);

    /// <summary>", for at least 4 min 12 s"; the oldest and the youngest of several. Empty where no age is known.</summary>
    private static string Of(FlowGroup group)
        => group.Since is not { } oldest || oldest.AtLeast == TimeSpan.Zero ? string.Empty
            : group.Youngest is { } youngest && oldest.AtLeast - youngest.AtLeast > TimeSpan.FromSeconds(1)
                ? $", for at least {Durations.Of(youngest.AtLeast)} to {Durations.Of(oldest.AtLeast)}"
            : $", for at least {Durations.Of(oldest.AtLeast)}";
}
