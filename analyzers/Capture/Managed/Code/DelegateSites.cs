using System.Reflection.Metadata;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Where the program's instructions call delegates, or hand them to code of .NET that may, by the type of the delegate.</summary>
internal sealed class DelegateSites
{
    private const string Invoke = "Invoke";
    private const string Base = "System.MulticastDelegate";
    private const string Delegates = "System.Delegate";
    private const string Array = "[]";

    // They make one of others, or compare them.
    private static readonly string[] s_harmless = ["Combine", "Remove", "RemoveAll", "op_Equality", "op_Inequality", "Equals"];

    private readonly Dictionary<string, List<Site>> _sites = new(StringComparer.Ordinal);
    private readonly List<Site> _ofAny = [];
    private readonly Dictionary<(IlModule Module, int Token), IReadOnlyList<Taken>> _taken = [];
    private readonly Dictionary<Site, SiteField> _fields = [];

    /// <param name="module">The module.</param>
    /// <param name="token">The method that has the instruction.</param>
    /// <param name="body">Its instructions.</param>
    /// <param name="index">Any of them.</param>
    public void Add(IlModule module, int token, IReadOnlyList<IlInstruction> body, int index)
    {
        if (body[index].Code is not (ILOpCode.Call or ILOpCode.Callvirt or ILOpCode.Newobj))
        {
            return;
        }

        foreach (Taken taken in TakenBy(module, body[index].Operand))
        {
            Site site = new(module, token, index, taken.Wanted, taken.Type);
            if (taken.Type is null)
            {
                _ofAny.Add(site);
                continue;
            }

            if (!_sites.TryGetValue(taken.Type.Definition, out List<Site>? sites))
            {
                _sites.Add(taken.Type.Definition, sites = []);
            }

            sites.Add(site);
        }
    }

    /// <summary>The places, by method and offset, where a delegate may be called; null where none is seen to be.</summary>
    /// <param name="type">The delegate's type.</param>
    /// <param name="field">The field that holds it; null where it is not by a field of the program's.</param>
    public IReadOnlySet<(IlModule Module, int Method, int Offset)>? Of(ConstructedType type, string? field)
    {
        Site[] all = [.. (_sites.GetValueOrDefault(type.Definition) ?? []).Where(site => site.Type!.Fits(type)), .. _ofAny];
        return all.Length == 0 ? null
            : all.Where(site => FieldOf(site) is { IsFresh: false } found && (field is null || found.Name is null || found.Name == field))
                .Select(site => (site.Module, site.Method, site.Module.Body(site.Method)[site.Index].Offset)).ToHashSet();
    }

    private SiteField FieldOf(Site site)
    {
        if (!_fields.TryGetValue(site, out SiteField found))
        {
            IReadOnlyList<IlInstruction> body = site.Module.Body(site.Method);
            bool isFresh = site.Wanted > 0 && IlReceivers.IsNewDelegate(site.Module, body, site.Index, site.Wanted);
            bool isNamed = !isFresh && site.Wanted > 0;
            found = new SiteField(isNamed ? IlReceivers.FieldOf(site.Module, body, site.Index, site.Wanted) : null, isFresh);
            _fields.Add(site, found);
        }

        return found;
    }

    private IReadOnlyList<Taken> TakenBy(IlModule module, int token)
    {
        if (!_taken.TryGetValue((module, token), out IReadOnlyList<Taken>? taken))
        {
            taken = module.Names.Member(token) is { } called && module.Names.ShapeOf(token) is { } shape ? [.. Look(called, shape)] : [];
            _taken.Add((module, token), taken);
        }

        return taken;
    }

    private static IEnumerable<Taken> Look(IlMember called, IlCallShape shape)
    {
        if (called.Name == Invoke && shape.IsInstance)
        {
            yield return new Taken(ConstructedType.Of(called.Type + called.Arguments), shape.Taken);
        }

        if (called.IsOwn || !Frameworks.IsOwn(called.Type) || System.Array.IndexOf(s_harmless, called.Name) >= 0)
        {
            yield break;
        }

        if (called.Type is Base or Delegates && shape.IsInstance)
        {
            yield return new Taken(null, shape.Taken);
        }

        for (int index = 0; index < shape.Parameters.Count; index++)
        {
            string parameter = shape.Parameters[index];
            if (parameter is Base or Delegates)
            {
                yield return new Taken(null, shape.Parameters.Count - index);
            }
            else if (CanBeDelegate(parameter))
            {
                // What an array has was put there before.
                bool isList = parameter.EndsWith(Array, StringComparison.Ordinal);
                yield return isList
                    ? new Taken(ConstructedType.Of(parameter[..^Array.Length]), 0)
                    : new Taken(ConstructedType.Of(parameter), shape.Parameters.Count - index);
            }
        }
    }

    private static bool CanBeDelegate(string parameter)
        => parameter.Contains('.', StringComparison.Ordinal)
            && !parameter.EndsWith('&') && !parameter.StartsWith(IlTypeNames.Any, StringComparison.Ordinal);

    // Null for any type; the value that it is, 0 for one of a list.
    private sealed record Taken(ConstructedType? Type, int Wanted);

    private readonly record struct Site(IlModule Module, int Method, int Index, int Wanted, ConstructedType? Type);

    private readonly record struct SiteField(string? Name, bool IsFresh);
}
