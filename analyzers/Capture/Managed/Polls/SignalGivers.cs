using HangTriage.Capture.Managed.Code;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Who can still come to a call that ends waits of a kind.</summary>
internal sealed class SignalGivers(CodeUsers users)
{
    private const int MostKinds = 512;

    private readonly Dictionary<SignalKind, CodeUse> _known = [];
    private readonly Dictionary<SignalKind, IReadOnlyList<ulong>> _sure = [];

    /// <returns>Null where anybody may.</returns>
    public CodeUse? Of(SignalKind kind) => Find(kind) is { IsOpen: false } use ? use : null;

    /// <summary>The same, also where anybody may.</summary>
    public CodeUse Find(SignalKind kind)
    {
        if (!_known.TryGetValue(kind, out CodeUse? use))
        {
            use = _known.Count < MostKinds ? Search(kind) : CodeUse.Open;
            _known.Add(kind, use);
        }

        return use;
    }

    /// <summary>
    /// The threads and delegates that come to such a call on every way; empty where others than the program's code may end such waits.
    /// </summary>
    public IReadOnlyList<ulong> SureOf(SignalKind kind)
    {
        if (!_sure.TryGetValue(kind, out IReadOnlyList<ulong>? sure))
        {
            sure = _sure.Count < MostKinds && !kind.Family.IsDelegate && users.Graph.Signals.MethodsOf(kind) is { Count: > 0 } methods
                ? users.SureOf(
                    methods, (module, method, instruction) => users.Graph.Signals.Signals(module, method, instruction, kind), WaitsOf(kind))
                : [];
            _sure.Add(kind, sure);
        }

        return sure;
    }

    /// <inheritdoc cref="ProgramUsers.MayBegin"/>
    public bool MayBegin(string method) => users.MayBegin(method);

    private CodeUse Search(SignalKind kind)
    {
        if (kind.Family.IsDelegate)
        {
            return OfDelegates(kind);
        }

        // An expression that names what holds it may be compiled while the program runs.
        if (users.Graph.Signals.MethodsOf(kind) is not { } methods || (kind.Field is { } field && users.Graph.IsNamedOtherwise(field)))
        {
            return CodeUse.Open;
        }

        bool Gives(IlModule module, int method, IlInstruction instruction) => users.Graph.Signals.Gives(module, method, instruction, kind);
        return users.Graph.Signals.HandingOut(kind.Family).Any(users.Graph.IsOpen)
            ? users.OpenOf(methods, methods, Gives, WaitsOf(kind))
            : users.Of(methods, methods, Gives, WaitsOf(kind), OwnerOf(kind), EntriesOf(kind));
    }

    private CodeUse OfDelegates(SignalKind kind)
    {
        if (users.Graph.Delegates.Of(ConstructedType.Of(kind.Family.Name), kind.Field) is not { } sites)
        {
            return CodeUse.Open;
        }

        string[] methods = [.. sites.Select(site => site.Module.Names.Member(site.Method)!.FullName).Distinct(StringComparer.Ordinal)];
        return users.Of(
            methods, [], (module, method, instruction) => sites.Contains((module, method, instruction.Offset)), owner: OwnerOf(kind));
    }

    private EntryCalls? EntriesOf(SignalKind kind)
        => EntryCalls.Of(
            SignalFamilies.IsSemaphore(kind.Family) && kind.Field is { } field && users.IsOfOne(OwnerOf(field)) ? field : null,
            kind.Entry is { } method && users.IsOfOne(OwnerOf(method)) ? method : null);

    private static Func<IlMember, bool> WaitsOf(SignalKind kind)
        => called => TakingCalls.WaitsForOthers(called.Type, called.Name, SignalFamilies.IsSemaphore(kind.Family));

    private static string? OwnerOf(SignalKind kind) => kind.Field is { } field ? OwnerOf(field) : null;

    // Of "Shop.Till._paid" the till.
    private static string OwnerOf(string member) => member[..member.LastIndexOf('.')];
}
