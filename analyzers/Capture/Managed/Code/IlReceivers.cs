using System.Reflection.Metadata;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Finds the field whose object a call is made on, or is given.</summary>
internal static class IlReceivers
{
    private const int Deepest = 4;
    private const string Getter = "get_";
    private const string Channels = "System.Threading.Channels.Channel";

    // A channel's ends belong to the channel.
    private static readonly string[] s_ends = ["get_Writer", "get_Reader"];

    /// <param name="module">The module.</param>
    /// <param name="body">The method that makes the call.</param>
    /// <param name="call">The place of the call in it: of a static one the first argument counts.</param>
    /// <returns>The full name of the field; null for a variable, for what a method returns, and where it was not found out.</returns>
    public static string? FieldOf(IlModule module, IReadOnlyList<IlInstruction> body, int call)
        => FieldOf(module, body, call, module.Names.ShapeOf(body[call].Operand)?.Taken ?? 0);

    /// <param name="module">The module.</param>
    /// <param name="body">The method that makes the call.</param>
    /// <param name="call">The place of the call in it.</param>
    /// <param name="wanted">Which of the values that it takes: 1 for the last argument.</param>
    /// <returns>The same.</returns>
    public static string? FieldOf(IlModule module, IReadOnlyList<IlInstruction> body, int call, int wanted)
        => FieldOf(module, body, new IlValues(module, body), call, wanted, Deepest);

    /// <summary>The value is a delegate that has just been made, or is made once and kept by the compiler for the same place.</summary>
    /// <param name="module">The module.</param>
    /// <param name="body">The method that makes the call.</param>
    /// <param name="call">The place of the call in it.</param>
    /// <param name="wanted">Which of the values that it takes: 1 for the last argument.</param>
    public static bool IsNewDelegate(IlModule module, IReadOnlyList<IlInstruction> body, int call, int wanted)
        => new IlValues(module, body).SourcesOf(call, wanted) is { Count: > 0 } sources
            && sources.All(source => IsNewDelegate(module, body, source))
            && sources.Any(source => body[source].Code == ILOpCode.Newobj);

    private static bool IsNewDelegate(IlModule module, IReadOnlyList<IlInstruction> body, int source)
        => body[source].Code == ILOpCode.Newobj ? source > 0 && IlInstruction.MakesDelegate(body, source - 1)
            : body[source].Code == ILOpCode.Ldsfld && module.Names.Member(body[source].Operand) is { } cached
                && cached.Name.StartsWith('<') && cached.Name.Contains('>', StringComparison.Ordinal);

    private static string? FieldOf(IlModule module, IReadOnlyList<IlInstruction> body, IlValues values, int at, int wanted, int depth)
        => depth > 0 && values.SourceOf(at, wanted) is { } source ? Source(module, body, values, source, depth) : null;

    private static string? Source(IlModule module, IReadOnlyList<IlInstruction> body, IlValues values, int at, int depth)
    {
        IlInstruction source = body[at];
        switch (source.Code)
        {
            case ILOpCode.Ldfld or ILOpCode.Ldsfld:
                IlMember? field = module.Names.Member(source.Operand);
                // A tuple is a variable, too.
                return field is null || Frameworks.IsOwn(field.Type) ? null
                    : IsVariable(field) ? Stored(
                        module, body, values, depth, other => other.Code == ILOpCode.Stfld && other.Operand == source.Operand)
                    : field.FullName;
            case ILOpCode.Castclass or ILOpCode.Isinst:
                return FieldOf(module, body, values, at, 1, depth - 1);
            case ILOpCode.Call or ILOpCode.Callvirt when module.Names.Member(source.Operand) is { } called:
                return IsEnd(called) ? FieldOf(module, body, values, at, 1, depth - 1)
                    : IlFieldUses.HandsOut(called) ? FieldAt(module, body, values, at)
                    : called.IsOwn && called.Name.StartsWith(Getter, StringComparison.Ordinal) ? Backing(module, called.Definition)
                    : null;
            case var _ when source.ReadsVariable && !source.Variable.IsArgument && !body.Any(other => IsPlaceOf(other, source.Operand)):
                return Stored(module, body, values, depth, other => other.WritesVariable && other.Variable == source.Variable);
            default:
                return null;
        }
    }

    // Whose place the call is given, first.
    private static string? FieldAt(IlModule module, IReadOnlyList<IlInstruction> body, IlValues values, int call)
        => module.Names.ShapeOf(body[call].Operand) is { } shape && values.SourceOf(call, shape.Taken) is { } place
            && body[place].Code is ILOpCode.Ldflda or ILOpCode.Ldsflda
            && module.Names.Member(body[place].Operand) is { } field && !IsVariable(field)
            ? field.FullName
            : null;

    // A variable that is written once has what is written there.
    private static string? Stored(
        IlModule module, IReadOnlyList<IlInstruction> body, IlValues values, int depth, Func<IlInstruction, bool> isStore)
        => Enumerable.Range(0, body.Count).Where(index => isStore(body[index])).Take(2).ToArray() is [var store]
            ? FieldOf(module, body, values, store, 1, depth - 1)
            : null;

    /// <summary>It takes the address of the variable, by which anybody may write it.</summary>
    public static bool IsPlaceOf(IlInstruction instruction, int variable)
        => instruction.Code is ILOpCode.Ldloca or ILOpCode.Ldloca_s && instruction.Operand == variable;

    // What an async method keeps over an await.
    private static bool IsVariable(IlMember field)
        => MadeTypes.IsMachine(field.Type) && field.Name.Contains(">5__", StringComparison.Ordinal);

    private static bool IsEnd(IlMember called)
        => called.Type.StartsWith(Channels, StringComparison.Ordinal) && Array.IndexOf(s_ends, called.Name) >= 0;

    // A property that hands out its field, or an end of the channel in it: it may test first that there is one, or make it.
    private static string? Backing(IlModule module, int getter)
    {
        IReadOnlyList<IlInstruction> body = module.Body(getter);
        IlMember?[] fields = [.. body.Where(IsOfField).Select(instruction => module.Names.Member(instruction.Operand))];
        return fields is [{ } field, ..] && fields.All(other => other?.FullName == field.FullName)
            && Enumerable.Range(0, body.Count).Where(index => body[index].IsCall)
                .All(index => IsMadeForField(body, index) || IsEnd(body[index]))
            ? field.FullName
            : null;

        bool IsEnd(IlInstruction call) => module.Names.Member(call.Operand) is { } called && IlReceivers.IsEnd(called);
    }

    // An object for the field, or what is thrown where it has none.
    private static bool IsMadeForField(IReadOnlyList<IlInstruction> body, int index)
        => body[index].Code == ILOpCode.Newobj
            && (body[index + 1].Code == ILOpCode.Throw || body.Any(other => other.Code is ILOpCode.Stfld or ILOpCode.Stsfld));

    private static bool IsOfField(IlInstruction instruction)
        => instruction.Code is ILOpCode.Ldfld or ILOpCode.Ldflda or ILOpCode.Stfld
            or ILOpCode.Ldsfld or ILOpCode.Ldsflda or ILOpCode.Stsfld;
}
