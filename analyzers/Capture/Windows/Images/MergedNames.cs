namespace HangTriage.Capture.Windows.Images;

/// <summary>Two sources of names as one: the nearer function counts, and of two names for one function the first source's.</summary>
internal sealed class MergedNames : IFunctionNames
{
    private readonly IFunctionNames _first;
    private readonly IFunctionNames _second;

    public MergedNames(IFunctionNames first, IFunctionNames second)
    {
        _first = first;
        _second = second;
    }

    public bool TryFindNearest(uint rva, uint lowest, out uint start, out string? name)
    {
        bool isInSecond = _second.TryFindNearest(rva, lowest, out uint secondStart, out string? secondName);
        bool isInFirst = _first.TryFindNearest(rva, lowest, out start, out name);
        if (isInSecond && (!isInFirst || secondStart > start || (secondStart == start && name is null)))
        {
            (start, name) = (secondStart, secondName);
        }

        return isInFirst || isInSecond;
    }
}
