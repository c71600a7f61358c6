using System.Globalization;
using HangTriage.Facts;

namespace HangTriage.Rules.Scheduling;

/// <summary>A function, or a few bytes of code where no symbols name it, in which samples of a thread lie.</summary>
/// <param name="Name">"App.Scan", "service.exe+0x4000 to +0x4012".</param>
/// <param name="Samples">Samples there.</param>
internal sealed record TracePlace(string Name, long Samples)
{
    private const string Offset = "+0x";

    /// <summary>Null where no place has nearly all samples of the thread.</summary>
    public static TracePlace? Of(TraceThread thread)
    {
        if (thread.Functions is not [var top, ..])
        {
            return null;
        }

        TracePlace place = Split(top.Name) is { } first ? Around(thread.Functions, first) : new TracePlace(top.Name, top.Self);
        return place.Samples >= thread.Samples * Thresholds.SamplesOfOnePlace ? place : null;
    }

    private static TracePlace Around(IReadOnlyList<TraceFunction> functions, (string Module, long At) top)
    {
        (long At, long Self)[] near =
        [
            .. from function in functions
               let split = Split(function.Name)
               where split is not null && split.Value.Module == top.Module && Math.Abs(split.Value.At - top.At) <= Thresholds.BytesOfOnePlace && function.Self > 0
               select (split.Value.At, function.Self),
        ];
        long low = near.Length == 0 ? top.At : near.Min(one => one.At);
        long high = near.Length == 0 ? top.At : near.Max(one => one.At);
        string name = string.Create(CultureInfo.InvariantCulture, $"{top.Module}{Offset}{low:x}{(high > low ? $" to {Offset}{high:x}" : string.Empty)}");
        return new TracePlace(name, near.Sum(one => one.Self));
    }

    private static (string Module, long At)? Split(string name)
        => name.LastIndexOf(Offset, StringComparison.Ordinal) is > 0 and int plus && long.TryParse(name.AsSpan(plus + Offset.Length), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out long at)
            ? (name[..plus], at) : null;
}
