namespace HangTriage.Traces.Tags;

/// <summary>What a frame means.</summary>
/// <param name="Name">"waiting for SQL".</param>
/// <param name="Priority">A tag of higher priority goes before one of a deeper frame.</param>
/// <param name="Pattern">What the frame looks like; * stands for anything, and case does not count.</param>
internal sealed record StackTag(string Name, int Priority, string Pattern)
{
    public bool Fits(string frame)
    {
        string[] parts = Pattern.Split('*');
        if (parts.Length == 1)
        {
            return frame.Equals(Pattern, StringComparison.OrdinalIgnoreCase);
        }

        if (frame.Length < parts[0].Length + parts[^1].Length || !frame.StartsWith(parts[0], StringComparison.OrdinalIgnoreCase) || !frame.EndsWith(parts[^1], StringComparison.OrdinalIgnoreCase))
        {
            return false;
        }

        ReadOnlySpan<char> rest = frame.AsSpan(parts[0].Length, frame.Length - parts[0].Length - parts[^1].Length);
        foreach (string part in parts[1..^1])
        {
            int at = rest.IndexOf(part, StringComparison.OrdinalIgnoreCase);
            if (at < 0)
            {
                return false;
            }

            rest = rest[(at + part.Length)..];
        }

        return true;
    }
}
