using HangTriage.Capture.Managed.Code;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Work;

/// <summary>Looks for a circle among objects that lead to each other through some fields, by themselves or in an array or list.</summary>
internal sealed class CircleSearch(IReadOnlyList<IlMember> links, int most)
{
    private const string List = "System.Collections.Generic.List<";
    private const int MostElements = 100_000;

    private readonly Dictionary<ulong, bool> _isOnPath = [];
    private readonly Stack<(ClrObject Object, IEnumerator<(ClrObject To, string Field)> Next)> _path = [];

    /// <summary>Null where there is none, or there are too many objects.</summary>
    public (string Type, string Field, int Length, ulong Start)? Find(IEnumerable<ClrObject> starts)
    {
        foreach (ClrObject start in starts)
        {
            Enter(start);
            while (_path.TryPeek(out (ClrObject Object, IEnumerator<(ClrObject To, string Field)> Next) top))
            {
                if (!top.Next.MoveNext())
                {
                    _path.Pop();
                    _isOnPath[top.Object.Address] = false;
                    continue;
                }

                (ClrObject to, string field) = top.Next.Current;
                if (_isOnPath.TryGetValue(to.Address, out bool isOnPath) && isOnPath)
                {
                    return (to.Type?.Name ?? string.Empty, field, _path.TakeWhile(step => step.Object.Address != to.Address).Count() + 1,
                        to.Address);
                }

                Enter(to);
            }

            if (_isOnPath.Count >= most)
            {
                return null;
            }
        }

        return null;
    }

    /// <summary>What an array or list has.</summary>
    public static IEnumerable<ClrObject> Elements(ClrObject array)
        => array.IsArray && array.Type?.ComponentType is { IsObjectReference: true }
            ? array.EnumerateReferences(carefully: true, considerDependantHandles: false).Take(MostElements)
            : [];

    private void Enter(ClrObject found)
    {
        if (!found.IsNull && _isOnPath.Count < most && _isOnPath.TryAdd(found.Address, true))
        {
            _path.Push((found, Next(found).GetEnumerator()));
        }
    }

    private IEnumerable<(ClrObject To, string Field)> Next(ClrObject start)
        => from link in links
           where LinkWalk.Has(start.Type, link)
           let held = start.ReadObjectField(link.Name)
           where !held.IsNull
           from to in held.IsArray ? Elements(held)
               : held.Type?.Name?.StartsWith(List, StringComparison.Ordinal) == true ? Elements(held.ReadObjectField("_items"))
               : [held]
           where links.Any(other => LinkWalk.Has(to.Type, other))
           select (to, link.FullName);
}
