using System.Globalization;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>The code that a runtime has compiled, by its own account: a perf map, whose lines are "start size name[tier]".</summary>
public sealed class CompiledCode
{
    private readonly SortedList<ulong, (ulong Size, string Tier)> _code = [];

    private CompiledCode()
    {
    }

    /// <summary>What the lines say; of code in the place of other code the last counts.</summary>
    public static CompiledCode Parse(IEnumerable<string> lines)
    {
        CompiledCode compiled = new();
        foreach (string line in lines)
        {
            string[] parts = line.Split(' ', 3);
            if (parts.Length == 3 && Hex(parts[0]) is { } start && Hex(parts[1]) is { } size
                && parts[2].LastIndexOf('[') is >= 0 and var tier)
            {
                compiled._code[start] = (size, parts[2][(tier + 1)..].TrimEnd(']'));
            }
        }

        return compiled;
    }

    /// <summary>The tier of the code that an instruction is of; null where the runtime did not compile it: it came with .NET.</summary>
    public string? TierOf(ulong instruction)
    {
        int after = 0;
        for (int end = _code.Count; after < end;)
        {
            int middle = (after + end) / 2;
            (after, end) = _code.GetKeyAtIndex(middle) <= instruction ? (middle + 1, end) : (after, middle);
        }

        return after > 0 && instruction - _code.GetKeyAtIndex(after - 1) < _code.GetValueAtIndex(after - 1).Size
            ? _code.GetValueAtIndex(after - 1).Tier
            : null;
    }

    // .NET 10 writes 0x before addresses.
    private static ulong? Hex(string text)
    {
        string digits = text.StartsWith("0x", StringComparison.Ordinal) ? text[2..] : text;
        return ulong.TryParse(digits, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out ulong number) ? number : null;
    }
}
