using System.Globalization;

namespace HangTriage.Tests.Matrix;

/// <summary>
/// The dumps of a run that were taken again, and why. None is for what our tool says of a dump: a verdict that is wrong on
/// the right moment is wrong at once.
/// </summary>
internal sealed class Retakes
{
    private readonly List<(RetakeReason Reason, string Text)> _taken = [];

    /// <summary>Each as the table tells it.</summary>
    public IReadOnlyList<string> Told
        => [.. _taken.GroupBy(taken => taken).Select(group => string.Create(CultureInfo.InvariantCulture, $"{group.Count()} x {group.Key.Text}"))];

    /// <summary>Whether another dump may be taken for such a reason.</summary>
    public bool IsLeft(RetakeReason reason) => _taken.Count(taken => taken.Reason == reason) < MostFor(reason);

    /// <summary>Notes that another dump is taken; fails where there were enough for that.</summary>
    public void Add(RetakeReason reason, string text)
    {
        if (!IsLeft(reason))
        {
            throw new InvalidOperationException($"no dump in {MostFor(reason) + 1} that can be judged; the last: {text}");
        }

        _taken.Add((reason, text));
    }

    private static int MostFor(RetakeReason reason) => reason switch
    {
        // The samples that move are in another moment in up to one of five dumps, and on a busy machine more often.
        RetakeReason.OtherMoment => 9,

        // .NET 9's library crashes on one in some 80 cores of BusyDictionary.
        RetakeReason.LibraryCrashed => 4,
        _ => 2,
    };
}
