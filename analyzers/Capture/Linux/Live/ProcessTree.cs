using System.Globalization;

namespace HangTriage.Capture.Linux.Live;

/// <summary>The processes below another one, and what they write.</summary>
public static class ProcessTree
{
    private const int MostProcesses = 4_096;

    /// <summary>Every living process below this one, each parent before its children.</summary>
    public static IReadOnlyList<int> Below(int process)
    {
        List<int> found = [];
        Queue<int> open = new([process]);
        HashSet<int> seen = [process];
        while (open.TryDequeue(out int parent) && found.Count < MostProcesses)
        {
            foreach (int child in ChildrenOf(parent).Where(seen.Add))
            {
                if (StatFields.Read(string.Create(CultureInfo.InvariantCulture, $"/proc/{child}/stat")) is { State: not ('Z' or 'X') })
                {
                    found.Add(child);
                }

                open.Enqueue(child);
            }
        }

        return found;
    }

    /// <summary>Bytes that a process has written with any call, of any file; 0 where that is not known.</summary>
    public static long WrittenBy(int process)
        => long.TryParse(
            ProcFile.Value(ProcFile.Text(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/io")), "wchar"), NumberStyles.None, CultureInfo.InvariantCulture, out long bytes)
            ? bytes
            : 0;

    /// <summary>Whether a process has mapped a file of that name; false where that is not known.</summary>
    public static bool HasLoaded(int process, string file)
        => ProcFile.Text(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/maps"))?.Contains($"/{file}\n", StringComparison.Ordinal) == true;

    private static IEnumerable<int> ChildrenOf(int process)
        => TaskFolder.Ids(process)
            .SelectMany(thread => (ProcFile.Text(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/task/{thread}/children")) ?? string.Empty)
                .Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
            .Select(text => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? id : 0)
            .Where(id => id > 0);
}
