using System.Reflection;
using System.Reflection.Metadata;
using System.Text;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Finds the methods that optimised code has no frames of: where the statement that a frame is in calls something else than the next
/// frame's method, and only one way leads from there to that method through code that can be inlined, the methods on that way were.
/// </summary>
internal sealed class InlinedCalls(ClrRuntime runtime, CaptureContext context) : IDisposable
{
    private const int MostDepth = 6;
    private const int MostMethods = 500;
    private const int MostModules = 256;

    private readonly Dictionary<ulong, (ClrModule Module, IlModule? Code)> _modules = [];
    private readonly Dictionary<(ulong Caller, int At, ulong Called), IReadOnlyList<InlinedCall>> _known = [];
    private readonly Dictionary<(string Type, string Name, int Parameters), IReadOnlyList<(ClrModule Module, IlModule Code, int Token)>> _owners = [];
    private IReadOnlyList<ClrModule>? _all;

    /// <param name="caller">The method of the program whose frame is there.</param>
    /// <param name="statement">The part of its IL that made the call.</param>
    /// <param name="called">The method of the next frame, towards the innermost.</param>
    /// <returns>The outermost first; empty where none is missing, or which one is not certain.</returns>
    public IReadOnlyList<InlinedCall> Between(ClrMethod caller, (int Start, int End) statement, ClrMethod called)
    {
        if (called.Type?.Name is not { } type || called.Name is not { } name || caller.Type?.Module is not { } module || module.IsDynamic)
        {
            return [];
        }

        (ulong Caller, int At, ulong Called) key = (caller.MethodDesc, statement.Start, called.MethodDesc);
        if (!_known.TryGetValue(key, out IReadOnlyList<InlinedCall>? found))
        {
            found = CodeOf(module) is { } code
                ? Find((module, code), caller.MetadataToken, statement, Goal.Of(Plain(type), name, called.Attributes))
                : [];
            _known.Add(key, found);
        }

        return found;
    }

    public void Dispose()
    {
        foreach ((ClrModule _, IlModule? code) in _modules.Values)
        {
            code?.Dispose();
        }
    }

    private List<InlinedCall> Find(
        (ClrModule Module, IlModule Code) from, int token, (int Start, int End) statement, Goal goal)
    {
        IlInstruction[] calls =
            [.. from.Code.Body(token).Where(own => IsCall(own) && own.Offset >= statement.Start && own.Offset < statement.End)];
        if (calls.Length == 0 || calls.Any(call => IsOpen(from.Code, call, goal)))
        {
            return [];
        }

        List<Step> level = [.. calls.SelectMany(call => Targets(from, call, null))];
        // An interface's method leads to what nobody knows here.
        if (calls.Any(call => call.Code == ILOpCode.Callvirt && !level.Any(step => step.From == call)))
        {
            return [];
        }

        HashSet<(ulong Module, int Token)> seen = [];
        for (int depth = 0; depth < MostDepth && level.Count > 0; depth++)
        {
            level = [.. level.Where(step => seen.Add((step.Module.Address, step.Token)))];
            if (seen.Count > MostMethods)
            {
                return [];
            }

            if (Hits(level, goal) is { Count: > 0 } ways)
            {
                return Common(ways);
            }

            level = [.. level.SelectMany(step => CallsOf(step).SelectMany(call => Targets((step.Module, step.Code), call, step)))];
        }

        return [];
    }

    private List<List<InlinedCall>> Hits(List<Step> level, Goal goal)
    {
        List<List<InlinedCall>> ways = [];
        foreach (Step step in level)
        {
            context.Step();
            if (CallsOf(step).Where(call => goal.Is(step.Code.Names.Member(call.Operand)))
                .Select(call => (int?)call.Offset).FirstOrDefault() is { } at)
            {
                ways.Add(WayTo(step, at));
            }
        }

        return ways;
    }

    private static List<InlinedCall> WayTo(Step last, int at)
    {
        List<InlinedCall> way = [];
        for (Step? step = last; step is not null; at = step.From.Offset, step = step.By)
        {
            way.Insert(0, new InlinedCall(step.Name, step.Module, step.Token, at));
        }

        return way;
    }

    // Of several ways what they have in common is certain.
    private static List<InlinedCall> Common(List<List<InlinedCall>> ways)
        => [.. ways[0].TakeWhile((own, index) => ways.All(way => index < way.Count && way[index].Method == own.Method))];

    private IEnumerable<Step> Targets((ClrModule Module, IlModule Code) from, IlInstruction call, Step? by)
    {
        if (from.Code.Names.Member(call.Operand) is not { } member)
        {
            yield break;
        }

        if (member.IsOwn)
        {
            if (from.Code.CanBeInlined(member.Definition))
            {
                yield return new Step(from.Module, from.Code, member.Definition, member.FullName, call, by);
            }

            yield break;
        }

        foreach ((ClrModule module, IlModule code, int token) in Owners(member, from.Code.Names.ParametersOf(call.Operand)))
        {
            yield return new Step(module, code, token, member.FullName, call, by);
        }
    }

    // What can be inlined of the methods of that name, in the first module that has such.
    private IReadOnlyList<(ClrModule Module, IlModule Code, int Token)> Owners(IlMember member, int parameters)
    {
        (string, string, int) key = (member.Type, member.Name, parameters);
        if (!_owners.TryGetValue(key, out IReadOnlyList<(ClrModule Module, IlModule Code, int Token)>? owners))
        {
            owners = All()
                .Select(module => CodeOf(module) is { } code
                    ? code.MethodsOf(member.Type, member.Name, parameters).Select(token => (module, code, token)).ToArray()
                    : [])
                .FirstOrDefault(methods => methods.Length > 0, [])
                .Where(method => method.code.CanBeInlined(method.token))
                .ToArray();
            _owners.Add(key, owners);
        }

        return owners;
    }

    private static IEnumerable<IlInstruction> CallsOf(Step step) => step.Code.Body(step.Token).Where(IsCall);

    private static bool IsCall(IlInstruction instruction) => instruction.Code is ILOpCode.Call or ILOpCode.Callvirt or ILOpCode.Newobj;

    // It calls the method itself or one that it overrides, or a delegate, which can lead to any.
    private static bool IsOpen(IlModule code, IlInstruction call, Goal goal)
        => code.Names.Member(call.Operand) is not { } member || member.Name == "Invoke"
            || (goal.IsVirtual ? Simple(member.Name) == Simple(goal.Name) : goal.Is(member));

    // Explicit implementations have the interface's name before their own.
    private static string Simple(string name)
        => name is ".ctor" or ".cctor" || name.Contains('<', StringComparison.Ordinal) ? name : name[(name.LastIndexOf('.') + 1)..];

    // "Task<System.Int32>" is Task in instructions; the brackets of "<Run>d__1" are of the name itself.
    private static string Plain(string type)
    {
        StringBuilder plain = new();
        int depth = 0;
        for (int index = 0; index < type.Length; index++)
        {
            bool isGeneric = type[index] == '<' && (depth > 0 || (index > 0 && type[index - 1] is not ('+' or '.')));
            bool isOwn = type[index] == '<' && !isGeneric;
            int end = isOwn ? NameBrackets.Closing(type[index..]) : -1;
            if (end > 0)
            {
                plain.Append(type, index, end + 1);
                index += end;
                continue;
            }

            depth += isGeneric ? 1 : 0;
            if (depth == 0)
            {
                plain.Append(type[index]);
            }

            depth -= type[index] == '>' && depth > 0 ? 1 : 0;
        }

        return plain.ToString();
    }

    private IReadOnlyList<ClrModule> All()
        => _all ??= [.. runtime.EnumerateModules().Where(module => !module.IsDynamic).Take(MostModules)];

    private IlModule? CodeOf(ClrModule module)
    {
        if (!_modules.TryGetValue(module.Address, out (ClrModule Module, IlModule? Code) known))
        {
            known = (module, IlModules.Any(runtime, module));
            _modules.Add(module.Address, known);
        }

        return known.Code;
    }

    private sealed record Goal(string Type, string Name, bool IsVirtual)
    {
        // The runtime writes what a generic method is made of behind its name: "First[[System.__Canon, System.Private.CoreLib]]".
        public static Goal Of(string type, string name, MethodAttributes attributes)
            => new(type, name.Split("[[", 2)[0], (attributes & MethodAttributes.Virtual) != 0);

        public bool Is(IlMember? member) => member is not null && member.Type == Type && member.Name == Name;
    }

    private sealed record Step(ClrModule Module, IlModule Code, int Token, string Name, IlInstruction From, Step? By);
}
