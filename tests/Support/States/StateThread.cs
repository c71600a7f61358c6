namespace HangTriage.Tests.Support.States;

/// <summary>A managed thread in a dump.</summary>
/// <param name="OsId">The system's id.</param>
/// <param name="Role">"main" or "finalizer", else "-".</param>
/// <param name="Name">As the program gave it; empty where it gave none.</param>
/// <param name="Frames">Its methods and the runtime's markers, innermost first.</param>
public sealed record StateThread(uint OsId, string Role, string Name, IReadOnlyList<string> Frames)
{
    private const int MostTold = 12;
    private const string AnyOfType = ".*";

    /// <summary>Where each of the frames is in its code; empty where nobody asked.</summary>
    public IReadOnlyList<ulong> Instructions { get; init; } = [];

    /// <summary>Whether it goes by this name; the roles are names, too, whatever the program calls these threads.</summary>
    public bool Is(string name) => Name == name || Role == name;

    /// <summary>Whether these methods are on the stack in this order, innermost first.</summary>
    public bool IsIn(IReadOnlyList<string> methods)
    {
        int found = 0;
        for (int frame = 0; frame < Frames.Count && found < methods.Count; frame++)
        {
            found += Fits(Frames[frame], methods[found]) ? 1 : 0;
        }

        return found == methods.Count;
    }

    public bool IsInAny(IReadOnlyList<string> methods) => methods.Any(method => Frames.Any(frame => Fits(frame, method)));

    /// <summary>Where the frames of such a method are in its code.</summary>
    public IEnumerable<ulong> InstructionsOf(string method)
        => Frames.Zip(Instructions).Where(frame => Fits(frame.First, method)).Select(frame => frame.Second);

    public override string ToString()
        => $"{(Name.Length > 0 ? Name : Role)} in {(Frames.Count > 0 ? string.Join(" < ", Frames.Take(MostTold)) : "no managed method")}";

    // "Monitor.Wait" is the end of a name, "WaitHandle.*" is any method of a type; neither begins in the middle of a word.
    private static bool Fits(string frame, string method) => method.Split('|').Any(part => part.EndsWith(AnyOfType, StringComparison.Ordinal)
        ? IsEnd(frame[..Math.Max(0, frame.LastIndexOf('.'))], part[..^AnyOfType.Length])
        : IsEnd(frame, part));

    private static bool IsEnd(string name, string end)
        => name.EndsWith(end, StringComparison.Ordinal) && (name.Length == end.Length || name[^(end.Length + 1)] is '.' or '+');
}
