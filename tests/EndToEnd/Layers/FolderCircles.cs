using System.Text;

namespace HangTriage.Tests.EndToEnd.Layers;

/// <summary>The circles among the folders of a project: sets of folders each of which uses, over others, each other one.</summary>
internal sealed class FolderCircles(IReadOnlyList<FolderUse> uses)
{
    private readonly ILookup<string, FolderUse> _usesOf = uses.ToLookup(use => use.From);

    public IReadOnlyList<IReadOnlyList<string>> Find()
    {
        List<IReadOnlyList<string>> circles = [];
        Dictionary<string, HashSet<string>> reach = _usesOf.ToDictionary(folder => folder.Key, folder => Reach(folder.Key));
        foreach (string folder in reach.Keys.Order(StringComparer.Ordinal))
        {
            if (reach[folder].Contains(folder) && !circles.Any(circle => circle.Contains(folder)))
            {
                circles.Add([.. reach[folder].Where(other => reach.TryGetValue(other, out HashSet<string>? back) && back.Contains(folder)).Order(StringComparer.Ordinal)]);
            }
        }

        return circles;
    }

    /// <summary>The folders of each circle, the shortest way round, and every use inside it.</summary>
    public string Describe()
    {
        StringBuilder text = new();
        foreach (IReadOnlyList<string> circle in Find())
        {
            text.AppendLine($"circle of {circle.Count} folders: {string.Join(", ", circle)}");
            text.AppendLine($"  the shortest way round: {Shortest(circle)}");
            foreach (IGrouping<(string From, string To), FolderUse> pair in uses.Where(use => circle.Contains(use.From) && circle.Contains(use.To)).GroupBy(use => (use.From, use.To)).OrderBy(pair => pair.Count()))
            {
                text.AppendLine($"  {pair.Key.From} -> {pair.Key.To}: {string.Join(", ", pair.Select(use => $"{use.FromType} uses {use.ToType}").Order(StringComparer.Ordinal).Take(12))}");
            }
        }

        return text.ToString();
    }

    private HashSet<string> Reach(string start)
    {
        HashSet<string> seen = [];
        Stack<string> open = new([start]);
        while (open.TryPop(out string? folder))
        {
            foreach (string next in _usesOf[folder].Select(use => use.To).Where(seen.Add))
            {
                open.Push(next);
            }
        }

        return seen;
    }

    private string Shortest(IReadOnlyList<string> circle)
    {
        List<FolderUse> shortest = circle.Select(WayBack).MinBy(way => way.Count)!;
        return string.Join(" -> ", shortest.Select(use => $"{use.From} ({use.FromType} uses {use.ToType})").Append(shortest[0].From));
    }

    /// <summary>The fewest uses that lead from a folder to itself.</summary>
    private List<FolderUse> WayBack(string start)
    {
        Dictionary<string, FolderUse> cameBy = [];
        Queue<string> open = new([start]);
        while (!cameBy.ContainsKey(start) && open.TryDequeue(out string? folder))
        {
            foreach (FolderUse use in _usesOf[folder].Where(use => cameBy.TryAdd(use.To, use)))
            {
                open.Enqueue(use.To);
            }
        }

        List<FolderUse> way = [cameBy[start]];
        while (way[0].From != start)
        {
            way.Insert(0, cameBy[way[0].From]);
        }

        return way;
    }
}
