namespace HangTriage.Capture.Managed.Code;

/// <summary>What a call takes from the stack and leaves there.</summary>
/// <param name="IsInstance">It takes an object before the parameters.</param>
/// <param name="Parameters">Their types, as <see cref="IlTypeNames"/> has them.</param>
/// <param name="Result">The type of what it leaves; null where it leaves nothing.</param>
internal sealed record IlCallShape(bool IsInstance, IReadOnlyList<string> Parameters, string? Result)
{
    public bool HasResult => Result is not null;

    public int Taken => Parameters.Count + (IsInstance ? 1 : 0);
}
