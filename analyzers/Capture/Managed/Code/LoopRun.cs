using System.Reflection.Metadata;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Goes on, on the target's memory, with a loop that looks and pauses: whether it leaves with what its fields have in them now, or comes to
/// its next pause. Nothing is written; what it does not know ends it.
/// </summary>
/// <param name="module">The module of the loop's method.</param>
/// <param name="objects">The objects that the method's frame holds.</param>
/// <param name="runtime">The runtime.</param>
internal sealed class LoopRun(IlModule module, IReadOnlyList<ClrObject> objects, ClrRuntime runtime)
{
    private const int MostSteps = 512;
    private const int MostChoices = 4;
    private const int MostDepth = 3;
    private const string Interlocked = "System.Threading.Interlocked";

    // What they put in place of the value ends the loop, or stands there already.
    private static readonly string[] s_reads = ["Read", "CompareExchange", "Exchange"];

    private int _steps;
    private int _choice;
    private int _choices;

    /// <summary>True: it leaves the loop. False: it comes to a pause. Null where that is not known.</summary>
    /// <param name="body">The method.</param>
    /// <param name="loop">Where its loop is.</param>
    /// <param name="place">At or before the call that pauses, in the same statement.</param>
    public bool? Leaves(IReadOnlyList<IlInstruction> body, (int Start, int End) loop, int place)
    {
        int pause = 0;
        while (pause < body.Count && !(body[pause].Offset >= place && Pauses(body[pause])))
        {
            pause++;
        }

        if (pause == body.Count || body[pause].End > loop.End || (pause > 0 && body[pause - 1].Code == ILOpCode.Ldc_i4_m1))
        {
            return null;
        }

        bool hasAnswer = module.Names.ShapeOf(body[pause].Operand)?.HasResult == true;
        return OfAll(() =>
        {
            Activation activation = new([]);
            if (hasAnswer)
            {
                activation.Stack.Push(RunValue.Unknown);
            }

            return Run(body, body[pause].End, activation, loop, MostDepth) switch
            {
                Outcome.Left or Outcome.Returned => true,
                Outcome.Paused => false,
                _ => null,
            };
        });
    }

    /// <summary>What a method answers that a loop asks; null where that is not known.</summary>
    public bool? Answers(int method) => OfAll(() =>
    {
        Activation activation = new([RunValue.Unknown]);
        return Run(module.Body(method), 0, activation, null, MostDepth) == Outcome.Returned ? activation.Result.IsTrue : null;
    });

    // Where the frame holds several objects of the type that is looked at: what is so of each of them.
    private bool? OfAll(Func<bool?> run)
    {
        bool? first = null;
        for (_choice = 0, _choices = 1; _choice < _choices; _choice++)
        {
            _steps = 0;
            bool? outcome = run();
            first ??= outcome;
            if (outcome is null || outcome != first || _choices > MostChoices)
            {
                return null;
            }
        }

        return first;
    }

    private static bool Reads(IlMember called)
        => called.FullName == "System.Threading.Volatile.Read" || (called.Type == Interlocked && s_reads.Contains(called.Name));

    private bool Pauses(IlInstruction instruction)
        => instruction.IsCall && PollCalls.Find(module.Names.Member(instruction.Operand)?.FullName) == PollCall.Pauses;

    private Outcome Run(IReadOnlyList<IlInstruction> body, int from, Activation activation, (int Start, int End)? loop, int depth)
    {
        Dictionary<int, int> places = Enumerable.Range(0, body.Count).ToDictionary(index => body[index].Offset);
        for (int at = from; ;)
        {
            if (loop is { } bounds && (at < bounds.Start || at >= bounds.End))
            {
                return Outcome.Left;
            }

            if (!places.TryGetValue(at, out int index) || _steps++ > MostSteps)
            {
                return Outcome.Unknown;
            }

            IlInstruction instruction = body[index];
            if (instruction.Code == ILOpCode.Ret)
            {
                activation.Result = activation.Stack.TryPop(out RunValue result) ? result : RunValue.Unknown;
                return Outcome.Returned;
            }

            if (instruction.IsBranch)
            {
                if (RunBranch.Taken(instruction.Code, activation.Stack) is not { } isTaken)
                {
                    return Outcome.Unknown;
                }

                at = isTaken ? instruction.Operand : instruction.End;
                continue;
            }

            Outcome step = instruction.IsCall ? Call(instruction, activation, depth) : Step(instruction, activation);
            if (step != Outcome.Continues)
            {
                return step;
            }

            at = instruction.End;
        }
    }

    private Outcome Call(IlInstruction call, Activation activation, int depth)
    {
        if (Pauses(call))
        {
            return Outcome.Paused;
        }

        if (call.Code is not (ILOpCode.Call or ILOpCode.Callvirt) || module.Names.Member(call.Operand) is not { } member
            || module.Names.ShapeOf(call.Operand) is not { } shape || activation.Stack.Count < shape.Taken)
        {
            return Outcome.Unknown;
        }

        RunValue[] arguments = new RunValue[shape.Taken];
        for (int index = arguments.Length - 1; index >= 0; index--)
        {
            arguments[index] = activation.Stack.Pop();
        }

        RunValue answer = RunValue.Unknown;
        if (Reads(member))
        {
            answer = arguments[0].Read(runtime.Heap);
        }
        else if (member.IsOwn && depth > 0 && !module.IsVirtual(member.Definition))
        {
            Activation inner = new(arguments);
            Outcome ended = Run(module.Body(member.Definition), 0, inner, null, depth - 1);
            if (ended != Outcome.Returned)
            {
                return ended;
            }

            answer = inner.Result;
        }
        else if (PollCalls.Find(member.FullName) is not (PollCall.Neutral or PollCall.Clock or PollCall.Token or PollCall.Counts))
        {
            return Outcome.Unknown;
        }

        if (shape.HasResult)
        {
            activation.Stack.Push(answer);
        }

        return Outcome.Continues;
    }

    private Outcome Step(IlInstruction instruction, Activation activation)
    {
        switch (instruction.Code)
        {
            case ILOpCode.Nop or ILOpCode.Volatile:
                return Outcome.Continues;
            case ILOpCode.Ldsfld or ILOpCode.Ldsflda:
                return Push(StaticField(instruction.Operand), instruction.Code == ILOpCode.Ldsfld);
            case ILOpCode.Ldfld or ILOpCode.Ldflda when activation.Stack.TryPop(out RunValue owner):
                return Push(FieldOf(owner, instruction.Operand), instruction.Code == ILOpCode.Ldfld);
            default:
                return instruction.ReadsVariable || instruction.WritesVariable ? activation.Use(instruction)
                    : RunArithmetic.Step(instruction, activation.Stack, runtime.Heap) ? Outcome.Continues : Outcome.Unknown;
        }

        Outcome Push(RunValue field, bool isRead)
        {
            activation.Stack.Push(isRead ? field.Read(runtime.Heap) : field);
            return Outcome.Continues;
        }
    }

    // Of an object that is not known, one of its type that the frame holds.
    private RunValue FieldOf(RunValue owner, int token)
    {
        if (module.Names.Member(token) is not { } member)
        {
            return RunValue.Unknown;
        }

        ClrObject found = owner.Object ?? Held(member.Type);
        return found is { IsNull: false, Type: { } type } && type.GetFieldByName(member.Name) is { } field
            ? RunValue.Place(field.GetAddress(found.Address), field.ElementType)
            : RunValue.Unknown;
    }

    private ClrObject Held(string type)
    {
        ClrObject[] found = [.. objects.Where(candidate => candidate.Type?.Name == type)];
        _choices = Math.Max(_choices, found.Length);
        return found.Length == 0 ? default : found[Math.Min(_choice, found.Length - 1)];
    }

    private RunValue StaticField(int token)
        => module.Names.Member(token) is { IsOwn: true } member
            && IlModules.StaticField(runtime, module.Address, member.Type, member.Name) is { } field
            && runtime.AppDomains is [var domain, ..]
                ? RunValue.Place(field.GetAddress(domain), field.ElementType)
                : RunValue.Unknown;

    private enum Outcome
    {
        Continues,
        Left,
        Returned,
        Paused,
        Unknown,
    }

    /// <summary>One method that runs.</summary>
    private sealed class Activation(RunValue[] arguments)
    {
        private readonly Dictionary<(bool, int), RunValue> _variables = Enumerable.Range(0, arguments.Length)
            .ToDictionary(index => (true, index), index => arguments[index]);

        public Stack<RunValue> Stack { get; } = [];

        public RunValue Result { get; set; }

        public Outcome Use(IlInstruction instruction)
        {
            if (instruction.ReadsVariable)
            {
                Stack.Push(_variables.GetValueOrDefault(instruction.Variable));
                return Outcome.Continues;
            }

            if (!Stack.TryPop(out RunValue value))
            {
                return Outcome.Unknown;
            }

            _variables[instruction.Variable] = value;
            return Outcome.Continues;
        }
    }
}
