using System.Reflection;
using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Whether what a call is made on was made by the same method, or by the one that hands it on: then the call is made on no other object of
/// its kind, whoever keeps those.
/// </summary>
internal static class IlFresh
{
    private const int Deepest = 6;

    /// <param name="module">The module.</param>
    /// <param name="method">The method that makes the call.</param>
    /// <param name="call">The place of the call in its instructions: of a static one the first argument counts.</param>
    /// <returns>False also where that was not found out.</returns>
    public static bool IsMade(IlModule module, int method, int call)
        => module.Body(method) is { } body && body[call].Code is ILOpCode.Call or ILOpCode.Callvirt
            && module.Names.ShapeOf(body[call].Operand) is { Taken: > 0 } shape
            && IsMade(new Place(module, method, body), call, shape.Taken, Deepest);

    private static bool IsMade(Place place, int at, int wanted, int depth)
        => depth > 0 && new IlValues(place.Module, place.Body).SourcesOf(at, wanted) is { Count: > 0 } sources
            && sources.All(source => IsMadeAt(place, source, depth - 1));

    private static bool IsMadeAt(Place place, int at, int depth)
    {
        IlInstruction source = place.Body[at];
        return source.Code is ILOpCode.Newobj or ILOpCode.Ldnull
            || (source.Code == ILOpCode.Castclass && IsMade(place, at, 1, depth))
            || (source.ReadsVariable && (source.Variable.IsArgument
                ? IsGivenMade(place, source.Variable.Number, depth)
                : !place.Body.Any(other => IlReceivers.IsPlaceOf(other, source.Operand))
                    && AreMade(place, other => other.WritesVariable && other.Variable == source.Variable, depth) == true))
            || (source.Code == ILOpCode.Ldfld && place.Module.Names.Member(source.Operand) is { } field && IsVariable(field)
                && IsStoredMade(place.Module, field, depth));
    }

    // What an async method keeps, and what lambdas share.
    private static bool IsVariable(IlMember field)
        => MadeTypes.IsClosure(field.Type)
            || (MadeTypes.IsMachine(field.Type) && (field.Name[0] != '<' || field.Name.Contains(">5__", StringComparison.Ordinal)));

    /// <summary>Null where nothing is stored.</summary>
    private static bool? AreMade(Place place, Func<IlInstruction, bool> isStore, int depth)
    {
        int[] stores = [.. Enumerable.Range(0, place.Body.Count).Where(index => isStore(place.Body[index]))];
        return stores.Length == 0 ? null : stores.All(store => IsMade(place, store, 1, depth));
    }

    private static bool IsStoredMade(IlModule module, IlMember field, int depth)
    {
        bool?[] stored =
        [
            .. Around(module, field.Type).Select(place =>
                place.Body.Any(other => other.Code == ILOpCode.Ldflda && IsOf(module, other, field)) ? false
                : AreMade(place, other => other.Code == ILOpCode.Stfld && IsOf(module, other, field), depth)),
        ];
        return stored.Contains(true) && !stored.Contains(false);
    }

    private static bool IsOf(IlModule module, IlInstruction instruction, IlMember field)
        => module.Names.Member(instruction.Operand)?.FullName == field.FullName;

    // Only the type itself can call it, and does with what it has made.
    private static bool IsGivenMade(Place place, int argument, int depth)
    {
        if (place.Module.AttributesOf(place.Method) is not { } attributes
            || (attributes & MethodAttributes.MemberAccessMask) != MethodAttributes.Private
            || (attributes & MethodAttributes.Virtual) != 0)
        {
            return false;
        }

        bool isCalled = false;
        foreach (Place caller in Around(place.Module, place.Module.Names.Member(place.Method)?.Type ?? string.Empty))
        {
            foreach (int call in Enumerable.Range(0, caller.Body.Count).Where(index => Refers(caller, index, place.Method)))
            {
                isCalled = true;
                if (caller.Body[call].Code is not (ILOpCode.Call or ILOpCode.Callvirt)
                    || caller.Module.Names.ShapeOf(caller.Body[call].Operand) is not { } shape
                    || !IsMade(caller, call, shape.Taken - argument, depth))
                {
                    return false;
                }
            }
        }

        return isCalled;
    }

    private static bool Refers(Place caller, int index, int method)
        => caller.Body[index].IsCall
            && caller.Module.Names.Member(caller.Body[index].Operand) is { IsOwn: true } called && called.Definition == method;

    // The methods of the type that has the other in it, and of all that it has inside.
    private static IEnumerable<Place> Around(IlModule module, string type)
        => module.MethodsWithin(type.Split('+')[0]).Select(method => new Place(module, method, module.Body(method)));

    private sealed record Place(IlModule Module, int Method, IReadOnlyList<IlInstruction> Body);
}
