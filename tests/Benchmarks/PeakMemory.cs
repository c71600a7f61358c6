using System.Globalization;

namespace HangTriage.Benchmarks;

/// <summary>The most memory that one process of a run had, in KiB.</summary>
/// <param name="Resident">All that was in memory, pages of mapped files among it: the kernel's own high-water mark.</param>
/// <param name="Own">Without the pages of files, which the kernel takes back when it likes; the most that was seen.</param>
internal sealed record PeakMemory(long Resident, long Own)
{
    public static PeakMemory None { get; } = new(0, 0);

    public PeakMemory Or(PeakMemory other) => new(Math.Max(Resident, other.Resident), Math.Max(Own, other.Own));

    public override string ToString() => $"{Resident / 1024} MB, {Own / 1024} MB of them its own";

    public static PeakMemory OfTree(int process)
    {
        PeakMemory peak = Of(process);
        foreach (string child in TryRead($"/proc/{process}/task/{process}/children").Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            peak = peak.Or(OfTree(int.Parse(child, CultureInfo.InvariantCulture)));
        }

        return peak;
    }

    private static PeakMemory Of(int process)
    {
        string status = TryRead($"/proc/{process}/status");
        return new PeakMemory(Field(status, "VmHWM:"), Field(status, "RssAnon:"));
    }

    private static long Field(string status, string name)
        => status.IndexOf(name, StringComparison.Ordinal) is >= 0 and int at
            ? long.Parse(status[(at + name.Length)..].TrimStart().Split(' ')[0], CultureInfo.InvariantCulture)
            : 0;

    // A process can end at any time.
    private static string TryRead(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (IOException)
        {
            return "";
        }
    }
}
