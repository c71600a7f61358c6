using System.Globalization;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>The processes of the tool that take samples, one each.</summary>
internal static class Samplers
{
    /// <summary>Those that a process of the tool has at this moment.</summary>
    public static IReadOnlyList<int> Below(int tool)
        =>
        [
            .. Children(tool)
                .Where(child => Text($"/proc/{child}/cmdline").Contains("\0sample\0", StringComparison.Ordinal))
                .Select(child => int.Parse(child, CultureInfo.InvariantCulture)),
        ];

    private static IEnumerable<string> Children(int process)
        => (Directory.Exists($"/proc/{process}/task") ? Directory.GetDirectories($"/proc/{process}/task") : [])
            .SelectMany(thread => Text(Path.Combine(thread, "children")).Split(' ', StringSplitOptions.RemoveEmptyEntries));

    private static string Text(string file)
    {
        try
        {
            return File.ReadAllText(file);
        }
        catch (IOException)
        {
            // Whom it is of has ended.
            return string.Empty;
        }
    }
}
