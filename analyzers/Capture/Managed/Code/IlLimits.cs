using System.Reflection.Metadata;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Loops that end by themselves: every round passes a place where it is left once a count that goes one way has reached a limit that
/// stands, once a clock says so, or once a collection of .NET's, or whoever is asked for the next item, has none.
/// </summary>
internal sealed class IlLimits
{
    // What a limit is made of: a field of a field, a property, a length.
    private const int MostOfLimit = 8;
    private const int MostOfCondition = 14;
    private const string Collections = "System.Collections.";

    private static readonly string[] s_times = ["System.TimeSpan", "System.DateTime", "System.DateTimeOffset"];

    private static readonly string[] s_readsClock =
    [
        "get_Elapsed", "get_ElapsedMilliseconds", "get_ElapsedTicks", "GetElapsedTime", "GetTimestamp", "get_Now", "get_UtcNow",
        "GetUtcNow", "get_TickCount", "get_TickCount64",
    ];

    private static readonly string[] s_grows =
        ["Add", "AddRange", "TryAdd", "Insert", "InsertRange", "Enqueue", "Push", "AddFirst", "AddLast", "AddBefore", "AddAfter", "Append"];

    private readonly IlInstruction[] _body;
    private readonly IReadOnlyList<IlClause> _clauses;
    private readonly Func<int, IlMember?> _nameOf;

    /// <param name="body">The instructions of a method.</param>
    /// <param name="clauses">Its protected blocks.</param>
    /// <param name="nameOf">Says what a token stands for.</param>
    public IlLimits(IReadOnlyList<IlInstruction> body, IReadOnlyList<IlClause> clauses, Func<int, IlMember?> nameOf)
    {
        _body = [.. body.Where(instruction => instruction.Code != ILOpCode.Nop)];
        _clauses = clauses;
        _nameOf = nameOf;
    }

    /// <summary>Every loop around the place ends for certain, and there is one.</summary>
    /// <param name="at">The place.</param>
    /// <param name="from">Loops that begin before it do not count.</param>
    /// <param name="makesNext">Whoever gives out the items is at work on the next one, and is looked at by itself.</param>
    /// <returns>Null where no loop is around it.</returns>
    public bool? EndsAround(int at, int from, bool makesNext = false)
        => IlLoops.Longest(_body).Where(loop => loop.Start <= at && at < loop.End && loop.Start >= from).ToArray() is { Length: > 0 } around
            ? around.All(loop => Ends(loop) || (makesNext && loop == around.MinBy(inner => inner.End - inner.Start) && IsGivenNext(loop)))
            : null;

    // The item is asked for last in the round: there is no other way on.
    private bool IsGivenNext((int Start, int End) loop)
        => Array.FindIndex(_body, branch => IsClosing(loop, branch)) is > 0 and var closing && Called(closing - 1)?.Name == "MoveNext";

    private bool Ends((int Start, int End) loop)
        => Enumerable.Range(0, _body.Length).Any(index => IsDecision(loop, index) && IsPassedEachRound(loop, _body[index].Offset)
            && (IsWalk(loop, index) || IsAskedForNext(loop, index) || IsOfCount(loop, index) || IsOfClock(loop, index)));

    // Whether the loop continues depends on it.
    private bool IsDecision((int Start, int End) loop, int index)
        => _body[index] is { IsBranch: true, IsJump: false } branch && branch.Offset >= loop.Start && branch.End <= loop.End
            && (IsClosing(loop, branch) || Leaves(loop, branch) || FallsOut(loop, index));

    private static bool IsClosing((int Start, int End) loop, IlInstruction branch)
        => branch.Operand == loop.Start && branch.End == loop.End;

    // Code that is not optimised goes to where "false" is put into the variable that the last branch asks.
    private bool Leaves((int Start, int End) loop, IlInstruction branch)
        => IlExits.IsOut(branch, loop)
            || (branch.Operand > branch.Offset && IndexOf(branch.Operand) is { } target && _body[target].Code == ILOpCode.Ldc_i4_0
                && Kept(target + 1) is { } asked && IsClosing(loop, asked));

    // Where the branch is not taken, the loop or the method is left.
    private bool FallsOut((int Start, int End) loop, int branch)
        => !IlExits.IsOut(_body[branch], loop)
            && _body.Skip(branch + 1).FirstOrDefault(next => next.IsBranch || IlExits.IsAbrupt(next, loop)) is { End: > 0 } last
            && IlExits.IsAbrupt(last, loop) && last.Code != ILOpCode.Switch
            && last.Offset < _body[branch].Operand;

    // A value is put into a variable, which a branch asks if it is true; or that branch asks at once.
    private IlInstruction? Kept(int index)
    {
        int asked = index + 1 < _body.Length && _body[index].WritesVariable && _body[index + 1].ReadsVariable
            && _body[index].Variable == _body[index + 1].Variable ? index + 2 : index;
        return asked < _body.Length && _body[asked].Code is ILOpCode.Brtrue or ILOpCode.Brtrue_s ? _body[asked] : null;
    }

    // No branch before it leads past it, but for one that leaves the loop.
    private bool IsPassedEachRound((int Start, int End) loop, int place)
        => !In(loop).Any(branch => branch.IsBranch && branch.Offset < place
            && ((branch.Operand > place && branch.Operand < loop.End && !Leaves(loop, branch)) || branch.Operand == loop.Start))
            && !_clauses.Any(clause => clause.Catches && clause.Protects(place) && clause.TryStart >= loop.Start && clause.End <= loop.End);

    private IEnumerable<IlInstruction> In((int Start, int End) loop)
        => _body.Where(instruction => instruction.Offset >= loop.Start && instruction.End <= loop.End);

    private int? IndexOf(int offset)
        => Array.FindIndex(_body, instruction => instruction.Offset == offset) is >= 0 and var index ? index : null;

    private IlMember? Called(int index) => _body[index].IsCall ? _nameOf(_body[index].Operand) : null;

    // Of an interface's enumerator the items may never end.
    private bool IsWalk((int Start, int End) loop, int branch)
        => IsClosing(loop, _body[branch]) && branch > 0 && Called(branch - 1) is { Name: "MoveNext" } walk
            && walk.Type.StartsWith(Collections, StringComparison.Ordinal)
            && walk.Type.Contains("Enumerator", StringComparison.Ordinal)
            && !walk.Type.Contains("IEnumerator", StringComparison.Ordinal);

    // while (reader.TryRead(out item)); not where the round puts back into the collection what it has taken.
    private bool IsAskedForNext((int Start, int End) loop, int branch)
    {
        int call = branch - 1;
        if (call > 1 && _body[call].ReadsVariable && _body[call - 1].WritesVariable && _body[call].Variable == _body[call - 1].Variable)
        {
            call -= 2;
        }

        bool continuesWithIt = IlExits.IsOut(_body[branch], loop) ? _body[branch].Code is ILOpCode.Brfalse or ILOpCode.Brfalse_s
            : IsClosing(loop, _body[branch]) && _body[branch].Code is ILOpCode.Brtrue or ILOpCode.Brtrue_s;
        return continuesWithIt && call > 0 && Called(call) is { } asked && asked.Name.StartsWith("Try", StringComparison.Ordinal)
            && _body[call - 1].Code is ILOpCode.Ldloca or ILOpCode.Ldloca_s or ILOpCode.Ldflda
            && !(asked.Type.StartsWith(Collections, StringComparison.Ordinal) && Grows(loop));
    }

    private bool IsOfClock((int Start, int End) loop, int branch)
    {
        bool isRead = false;
        bool isCompared = Compares(_body[branch].Code) is not null;
        for (int index = branch - 1; index >= 0 && branch - index < MostOfCondition && _body[index].Offset >= loop.Start; index--)
        {
            // Between the comparison and the branch that closes the loop stands the "false" of another condition, which leaves it, too.
            if (_body[index].IsBranch
                && !(_body[index].IsJump && IsClosing(loop, _body[branch]) && _body[index + 1].Code == ILOpCode.Ldc_i4_0))
            {
                break;
            }

            isCompared |= Compares(_body[index].Code) is not null
                || (Called(index) is { } compares && s_times.Contains(compares.Type)
                    && (compares.Name.StartsWith("op_Less", StringComparison.Ordinal)
                        || compares.Name.StartsWith("op_Greater", StringComparison.Ordinal)));
            isRead |= Called(index) is { } clock && PollCalls.Find(clock.FullName) == PollCall.Clock && s_readsClock.Contains(clock.Name);
        }

        return isRead && isCompared;
    }

    private bool IsOfCount((int Start, int End) loop, int branch)
    {
        int comparison = branch;
        bool continues = IsClosing(loop, _body[branch]) || FallsOut(loop, branch);
        if (Compares(_body[branch].Code) is not { } less)
        {
            // "less" or "greater" into a variable and out of it, maybe turned round by "is 0".
            if (_body[branch].Code is not (ILOpCode.Brtrue or ILOpCode.Brtrue_s or ILOpCode.Brfalse or ILOpCode.Brfalse_s))
            {
                return false;
            }

            continues ^= _body[branch].Code is ILOpCode.Brfalse or ILOpCode.Brfalse_s;
            comparison = branch - 1;
            if (comparison > 1 && _body[comparison].ReadsVariable && _body[comparison - 1].WritesVariable
                && _body[comparison].Variable == _body[comparison - 1].Variable)
            {
                comparison -= 2;
            }

            if (comparison > 2 && _body[comparison].Code == ILOpCode.Ceq && _body[comparison - 1].Code == ILOpCode.Ldc_i4_0)
            {
                continues = !continues;
                comparison -= 2;
            }

            if (comparison < 2 || _body[comparison].Code is not (ILOpCode.Clt or ILOpCode.Clt_un or ILOpCode.Cgt or ILOpCode.Cgt_un))
            {
                return false;
            }

            less = _body[comparison].Code is ILOpCode.Clt or ILOpCode.Clt_un;
        }

        // It goes round while the count is below the limit, and goes up; or above, and down.
        return CountOf(loop, comparison - 1) is { } count && StepOf(loop, count) is { } up && up == (less == continues);
    }

    /// <summary>Whether the branch is taken, or the comparison true, for what is less; null for no comparison of this kind.</summary>
    private static bool? Compares(ILOpCode code) => code switch
    {
        ILOpCode.Blt or ILOpCode.Blt_s or ILOpCode.Blt_un or ILOpCode.Blt_un_s
            or ILOpCode.Ble or ILOpCode.Ble_s or ILOpCode.Ble_un or ILOpCode.Ble_un_s or ILOpCode.Clt or ILOpCode.Clt_un => true,
        ILOpCode.Bgt or ILOpCode.Bgt_s or ILOpCode.Bgt_un or ILOpCode.Bgt_un_s
            or ILOpCode.Bge or ILOpCode.Bge_s or ILOpCode.Bge_un or ILOpCode.Bge_un_s or ILOpCode.Cgt or ILOpCode.Cgt_un => false,
        _ => null,
    };

    // The variable that is compared, which may be changed there and then; what follows it is the limit, which has to stand.
    private (bool IsArgument, int Number)? CountOf((int Start, int End) loop, int last)
    {
        for (int index = last; index >= 0 && last - index < MostOfLimit; index--)
        {
            if ((_body[index].ReadsVariable || _body[index].WritesVariable) && index < last
                && StepOf(loop, _body[index].Variable) is not null)
            {
                return _body[index].Variable;
            }

            if (!Stands(loop, index))
            {
                return null;
            }
        }

        return null;
    }

    private bool Stands((int Start, int End) loop, int index)
    {
        IlInstruction part = _body[index];
        return part switch
        {
            { ReadsVariable: true } => !In(loop).Any(other => other.WritesVariable && other.Variable == part.Variable),
            { Code: ILOpCode.Ldc_i4 } => part.Operand != int.MaxValue,
            { Code: (>= ILOpCode.Ldc_i4_0 and <= ILOpCode.Ldc_i4_8) or ILOpCode.Ldc_i4_s or ILOpCode.Ldc_i4_m1 or ILOpCode.Ldlen
                or ILOpCode.Conv_i4 or ILOpCode.Conv_i8 or ILOpCode.Conv_u8 or ILOpCode.Conv_r8 or ILOpCode.Add or ILOpCode.Sub
                or ILOpCode.Mul or ILOpCode.Div or ILOpCode.Div_un } => true,
            { Code: ILOpCode.Ldc_i8 } => part.Operand != int.MaxValue,
            { Code: ILOpCode.Ldfld or ILOpCode.Ldsfld } => !In(loop).Any(other => other.WritesField && other.Operand == part.Operand),
            { IsCall: true } => Called(index)?.Name is "get_Count" or "get_Length" && !Grows(loop),
            _ => false,
        };
    }

    private bool Grows((int Start, int End) loop)
        => In(loop).Any(call => call.IsCall && _nameOf(call.Operand)?.Name is { } name && s_grows.Contains(name));

    // True for up, false for down: written once in the loop, by a number more or less than before, and that in each round.
    private bool? StepOf((int Start, int End) loop, (bool IsArgument, int Number) variable)
    {
        int[] written =
        [
            .. Enumerable.Range(0, _body.Length).Where(index => _body[index].Offset >= loop.Start && _body[index].End <= loop.End
                && _body[index].WritesVariable && _body[index].Variable == variable),
        ];
        if (written is not [var at] || IsHandedOut(loop, variable) || !IsPassedEachRound(loop, _body[at].Offset) || IsInInnerLoop(loop, at))
        {
            return null;
        }

        int step = at - 1;
        if (step > 0 && _body[step].Code == ILOpCode.Dup)
        {
            step--;
        }

        int number = step - 1;
        if (number > 0 && _body[number].Code is ILOpCode.Conv_i8 or ILOpCode.Conv_u8 or ILOpCode.Conv_r8)
        {
            number--;
        }

        int read = number - 1;
        if (read > 0 && _body[read].Code == ILOpCode.Dup)
        {
            read--;
        }

        bool isStep = read >= 0 && _body[read].ReadsVariable && _body[read].Variable == variable
            && _body[number].Code is (>= ILOpCode.Ldc_i4_0 and <= ILOpCode.Ldc_i4_8) or ILOpCode.Ldc_i4_s or ILOpCode.Ldc_i4
            && _body[number].Operand > 0;
        return !isStep ? null
            : _body[step].Code is ILOpCode.Add or ILOpCode.Add_ovf ? true
            : _body[step].Code is ILOpCode.Sub or ILOpCode.Sub_ovf ? false
            : null;
    }

    private bool IsHandedOut((int Start, int End) loop, (bool IsArgument, int Number) variable)
        => In(loop).Any(other => other.Code is ILOpCode.Ldloca or ILOpCode.Ldloca_s or ILOpCode.Ldarga or ILOpCode.Ldarga_s
            && other.Operand == variable.Number && other.Code is ILOpCode.Ldarga or ILOpCode.Ldarga_s == variable.IsArgument);

    private bool IsInInnerLoop((int Start, int End) loop, int at)
        => IlLoops.Longest(_body).Any(inner => inner != loop && inner.Start >= loop.Start && inner.End <= loop.End
            && inner.Start <= _body[at].Offset && _body[at].Offset < inner.End && inner.Start > loop.Start);
}
