using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>A method's instructions, and what the compiler has made around the finally blocks and the awaits in them.</summary>
internal sealed class IlBody
{
    private readonly Dictionary<int, int> _places;
    private readonly IReadOnlyList<IlClause> _clauses;
    private readonly (bool IsArgument, int Number)? _state;
    private IReadOnlyList<(int Start, int End)>? _loops;
    private IlValues? _values;

    public IlBody(IlModule module, int method)
    {
        Module = module;
        Method = method;
        Instructions = module.Body(method);
        _places = Instructions.Select((instruction, index) => (instruction.Offset, index)).ToDictionary();
        _clauses = module.Clauses(method);
        _state = StateOf();
    }

    public IlModule Module { get; }

    public int Method { get; }

    public IReadOnlyList<IlInstruction> Instructions { get; }

    /// <summary>What its instructions have left on the stack.</summary>
    public IlValues Values => _values ??= new IlValues(Module, Instructions);

    /// <summary>
    /// The loops, one for each place to which a branch leads back, each with the blocks that handle what it protects: these stand behind it
    /// where the branch is what leaves the protected block.
    /// </summary>
    public IReadOnlyList<(int Start, int End)> Loops => _loops ??=
    [
        .. IlLoops.Longest(Instructions)
            .Select(loop => (loop.Start, _clauses.Where(clause => IsIn(clause, loop)).Select(clause => clause.End).Append(loop.End).Max())),
    ];

    /// <summary>Which instruction begins at this offset; null for none.</summary>
    public int? PlaceOf(int offset) => _places.TryGetValue(offset, out int index) ? index : null;

    /// <summary>
    /// The places that it can continue at behind an instruction. Where a switch leads is not followed, nor what is behind the end of a
    /// method or of a block that handles something.
    /// </summary>
    public static IReadOnlyList<int> After(IlInstruction instruction)
        => instruction.Code switch
        {
            ILOpCode.Ret or ILOpCode.Throw or ILOpCode.Rethrow or ILOpCode.Jmp or ILOpCode.Endfinally or ILOpCode.Endfilter
                or ILOpCode.Switch => [],
            _ when instruction.IsJump => [instruction.Operand],
            _ when instruction.IsBranch => [instruction.Operand, instruction.End],
            _ => [instruction.End],
        };

    /// <summary>
    /// The finally blocks that run between the protected block that an instruction leaves and where it leads, the innermost first.
    /// </summary>
    public IEnumerable<IlClause> LeftBy(IlInstruction leave)
        => _clauses.Where(clause => clause.IsFinally && clause.Protects(leave.Offset) && !clause.Protects(leave.Operand));

    /// <summary>The method is left there since what it awaits is not done yet: no finally block does anything.</summary>
    public bool Suspends(int leave)
    {
        int before = leave - 1;
        while (before > 0 && Instructions[before].Code == ILOpCode.Nop)
        {
            before--;
        }

        return before >= 0 && Instructions[before].IsCall
            && Module.Names.Member(Instructions[before].Operand)?.Name is "AwaitUnsafeOnCompleted" or "AwaitOnCompleted";
    }

    /// <summary>
    /// A branch over what a finally block does, for where the method is only suspended: state variable, zero, "if not less".
    /// </summary>
    public bool AsksWhetherItSuspends(int branch)
        => _state is { } state
            && branch >= 2
            && Instructions[branch].Code is ILOpCode.Bge or ILOpCode.Bge_s
            && Instructions[branch - 1].Code == ILOpCode.Ldc_i4_0
            && IsRead(branch - 2, state);

    /// <summary>
    /// A branch or a switch by which an async method that is resumed comes to where it was suspended: one that begins, or was resumed
    /// before, passes by.
    /// </summary>
    public bool LeadsBack(int branch)
        => _state is { } state && branch >= 2
            && (IsRead(branch - 1, state)
                ? Instructions[branch].Code is ILOpCode.Switch or ILOpCode.Brfalse or ILOpCode.Brfalse_s
                : IsRead(branch - 2, state)
                    && Instructions[branch].Code is ILOpCode.Beq or ILOpCode.Beq_s or ILOpCode.Ble_un or ILOpCode.Ble_un_s);

    // Of a block around the whole loop the handler is outside.
    private bool IsIn(IlClause clause, (int Start, int End) loop)
        => loop.Start <= clause.TryStart && clause.TryStart < loop.End
            && (clause.TryEnd < loop.End
                || Instructions.Any(closing => closing.End == loop.End && closing.Code is ILOpCode.Leave or ILOpCode.Leave_s));

    private bool IsRead(int index, (bool, int) state) => Instructions[index] is { ReadsVariable: true } read && read.Variable == state;

    // The first that the method of an async method does is to put its state into a variable.
    private (bool IsArgument, int Number)? StateOf()
        => Instructions is [{ Code: ILOpCode.Ldarg_0 }, { Code: ILOpCode.Ldfld } field, { WritesVariable: true } variable, ..]
            && Module.Names.Member(field.Operand)?.Name == "<>1__state"
            ? variable.Variable
            : null;
}
