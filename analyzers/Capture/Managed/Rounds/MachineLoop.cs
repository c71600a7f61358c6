namespace HangTriage.Capture.Managed.Rounds;

/// <summary>
/// Instructions that lead back to each other, wherever the compiler has laid them. Without its head, by which it is entered, a loop falls
/// apart into what each round goes through once, in some order, and the loops within it.
/// </summary>
internal sealed class MachineLoop
{
    private readonly Dictionary<int, int> _ranks = [];

    private MachineLoop(int head, HashSet<int> members, IReadOnlyList<HashSet<int>> parts)
    {
        Head = head;
        Members = members;
        Within = [.. parts.Where(part => part.Count > 1).SelectMany(part => part)];
        for (int rank = 0; rank < parts.Count; rank++)
        {
            foreach (int member in parts[rank])
            {
                _ranks[member] = rank + 1;
            }
        }

        _ranks[head] = 0;
    }

    public int Head { get; }

    public HashSet<int> Members { get; }

    /// <summary>Those of the loops within it.</summary>
    public HashSet<int> Within { get; }

    /// <summary>In what order a round comes by: from a later place there is no way to an earlier one but over the head.</summary>
    public int RankOf(int member) => _ranks[member];

    /// <summary>The same loop, each round of it counted from another instruction; null where there are rounds that do not come by
    /// there.</summary>
    public MachineLoop? From(MachineCode code, int head)
    {
        MachineLoop other = new(head, Members, Components(code, [.. Members.Where(member => member != head)]));
        return other.Within.Count <= Within.Count ? other : null;
    }

    /// <summary>The loops around an instruction, the outermost first.</summary>
    public static IReadOnlyList<MachineLoop> Around(MachineCode code, int at, int most)
    {
        List<MachineLoop> found = [];
        HashSet<int> area = [.. Enumerable.Range(0, code.Code.Count)];
        while (found.Count < most && Components(code, area).FirstOrDefault(part => part.Contains(at)) is { } members
            && (members.Count > 1 || code.Next(at).Contains(at)))
        {
            int head = members.Where(member
                => member == 0 || code.Before(member).Any(before => area.Contains(before) && !members.Contains(before)))
                .DefaultIfEmpty(members.Min()).Min();
            HashSet<int> rest = [.. members.Where(member => member != head)];
            found.Add(new MachineLoop(head, members, Components(code, rest)));
            if (head == at)
            {
                break;
            }

            area = rest;
        }

        return found;
    }

    // Tarjan's strongly connected components, without recursion; those that lead to others come first.
    private static List<HashSet<int>> Components(MachineCode code, HashSet<int> area)
    {
        Dictionary<int, int> index = [];
        Dictionary<int, int> low = [];
        HashSet<int> isOpen = [];
        Stack<int> open = new();
        Stack<(int Node, int Edge)> path = new();
        List<HashSet<int>> found = [];
        foreach (int start in area.Order().Where(start => !index.ContainsKey(start)))
        {
            path.Push((start, 0));
            while (path.TryPop(out (int Node, int Edge) here))
            {
                if (here.Edge == 0)
                {
                    index[here.Node] = low[here.Node] = index.Count;
                    open.Push(here.Node);
                    isOpen.Add(here.Node);
                }

                int[] next = code.Next(here.Node);
                int edge = Math.Max(here.Edge, 0);
                for (; edge < next.Length && (!area.Contains(next[edge]) || index.ContainsKey(next[edge])); edge++)
                {
                    if (isOpen.Contains(next[edge]))
                    {
                        low[here.Node] = Math.Min(low[here.Node], low[next[edge]]);
                    }
                }

                if (edge < next.Length)
                {
                    // Looked at again when it is done: then it lends its place in the order.
                    path.Push((here.Node, edge == 0 ? -1 : edge));
                    path.Push((next[edge], 0));
                    continue;
                }

                if (low[here.Node] == index[here.Node])
                {
                    HashSet<int> part = [];
                    int member;
                    do
                    {
                        member = open.Pop();
                        isOpen.Remove(member);
                        part.Add(member);
                    }
                    while (member != here.Node);
                    found.Insert(0, part);
                }
            }
        }

        return found;
    }
}
