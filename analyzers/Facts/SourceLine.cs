namespace HangTriage.Facts;

/// <summary>A line of source.</summary>
/// <param name="File">The file with the folder that it is in, "Shop/Orders.cs": what lies above is the machine's that built it.</param>
/// <param name="Line">The line, from 1 on.</param>
public sealed record SourceLine(string File, uint Line)
{
    public static SourceLine Of(string path, uint line)
    {
        ArgumentNullException.ThrowIfNull(path);
        string[] parts = path.Split('/', '\\');
        return new SourceLine(string.Join('/', parts[^Math.Min(2, parts.Length)..]), line);
    }

    public override string ToString() => string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{File}:{Line}");
}
