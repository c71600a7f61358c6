using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Who can still come to an instruction of one kind, by all calls of the program's own code.</summary>
internal sealed class CodeUsers(
    IReadOnlyList<ClrThread> threads, ThreadFrames walked, IlModules modules, ProgramCode code, IReadOnlyList<FlowGrouping> flows,
    DelegateVisitor delegates, InstanceVisitor instances, CodeLevels levels, WorkInHand hands)
{
    private const int MostBoxes = 1024;

    // The program's methods of the delegates that were found.
    private readonly Lazy<(ulong Delegate, string? Method)[]> _methods = new(() =>
        [
            .. delegates.Samples.Select(sample => (Sample: sample, Method: code.Search.NameOf(sample)))
                .Where(pair => pair.Method is not null)
                .SelectMany(pair => delegates.Alike(pair.Sample).Select(found => (found, pair.Method))),
        ]);

    private readonly Dictionary<ulong, FlowGrouping> _groups = flows.ToDictionary(group => group.Sample.Address);

    public CallGraph Graph => code.Graph;

    /// <summary>
    /// Who has a delegate is looked for on the heap, and may call it; so who calls delegates of its type is not asked for.
    /// </summary>
    /// <param name="methods">The methods that have such an instruction.</param>
    /// <param name="givers">Those of them that end waits.</param>
    /// <param name="isOne">Whether an instruction, of a module's method, is such.</param>
    /// <param name="waits">Whether a method waits for what another thread gives.</param>
    /// <param name="owner">The type of the object whose field holds what they are made on; null where that is not known.</param>
    /// <param name="entries">Nobody comes past these before he gets what is asked for himself; null for none.</param>
    public CodeUse Of(
        IReadOnlyCollection<string> methods, IReadOnlyCollection<string> givers, Func<IlModule, int, IlInstruction, bool> isOne,
        Func<IlMember, bool>? waits = null, string? owner = null, EntryCalls? entries = null)
    {
        IReadOnlyCollection<string> coming = entries is null ? methods : WithoutEntry(methods, isOne, entries);
        if (code.Graph.LeadingOfProgram(coming, owner, entries) is not { } leading
            || ObjectsOf(leading.Where(code.Graph.IsForeign)) is not { } objects)
        {
            return OpenOf(methods, givers, isOne, waits);
        }

        bool Leads(IlModule module, int method, IlInstruction instruction)
            => code.Graph.Leads(module, method, instruction, leading) || isOne(module, method, instruction);

        HashSet<string> inside = entries is null ? leading : code.Graph.LeadingByCalls(methods);
        HashSet<ulong> by =
        [
            .. threads.Where(thread => entries is null
                ? code.Search.CanCome(thread, leading, isOne)
                : code.Search.CanCome(thread, leading, inside, isOne, entries)).Select(thread => thread.Address),
        ];
        foreach (FlowBox flow in code.Flows.Coming(Leads, entries))
        {
            if (_groups[flow.Address].Boxes.Count > MostBoxes)
            {
                return OpenOf(methods, givers, isOne, waits);
            }

            by.UnionWith(_groups[flow.Address].Boxes);
        }

        foreach ((ulong found, _) in _methods.Value.Where(found => leading.Contains(found.Method!)))
        {
            if (delegates.IsOfMany(found))
            {
                return OpenOf(methods, givers, isOne, waits);
            }

            by.Add(found);
        }

        return WithWork(CodeUse.Of(methods, givers) with { By = [.. by], Objects = objects }, leading, isOne, waits);
    }

    /// <inheritdoc cref="ProgramUsers.HasDelegate"/>
    public bool HasDelegate(string method) => _methods.Value.Any(found => found.Method == method);

    /// <summary>One object, or none but a static field, has the field: there is one of what it holds.</summary>
    public bool IsOfOne(string owner) => instances.Of(owner) is { Count: <= 1 };

    // Those that do not first wait for it themselves.
    private string[] WithoutEntry(
        IReadOnlyCollection<string> methods, Func<IlModule, int, IlInstruction, bool> isOne, EntryCalls entries)
        =>
        [
            .. methods.Where(name => code.Graph.PlacesOf(name).Any(place => IlReach.From(place.Module, place.Method, 0, entries.Contains)
                .Any(instruction => isOne(place.Module, place.Method, instruction)))),
        ];

    /// <summary>Anybody may come there; who works on something and comes there surely is still seen.</summary>
    /// <inheritdoc cref="Of"/>
    public CodeUse OpenOf(
        IReadOnlyCollection<string> methods, IReadOnlyCollection<string> givers, Func<IlModule, int, IlInstruction, bool> isOne,
        Func<IlMember, bool>? waits)
        => WithWork(CodeUse.Of(methods, givers) with { IsOpen = true }, code.Graph.LeadingByCalls(methods), isOne, waits);

    private CodeUse WithWork(
        CodeUse use, HashSet<string> leading, Func<IlModule, int, IlInstruction, bool> isOne, Func<IlMember, bool>? waits)
    {
        Lazy<SureCalls?> sure = new(() => waits is null ? null : CallsOf(CallingOf(use.Methods), isOne, waits));
        bool GivesInRounds(IReadOnlyList<CodeLevel> around) => sure.Value is { } known && GivingRounds.Give(around, known);

        // Hundreds can be at one place, and each is asked for by all that wait.
        Dictionary<IReadOnlyList<CodeLevel>, bool> known = new(CodeLevelsComparer.Instance);
        bool IsAtWork(IReadOnlyList<CodeLevel> around)
        {
            if (!known.TryGetValue(around, out bool isAtWork))
            {
                known[around] = isAtWork = hands.Has(around, leading, isOne) || GivesInRounds(around);
            }

            return isAtWork;
        }

        return use with { IsAtWork = thread => IsAtWork(levels.Of(thread)), AreAtWork = chain => IsAtWork(levels.Of(chain)) };
    }

    // Code of .NET that has an object calls what it overrides or implements of .NET's.
    private IReadOnlyList<ulong>? ObjectsOf(IEnumerable<string> overrides)
    {
        HashSet<ulong> objects = [];
        foreach (string? type in overrides.Select(code.Graph.TypeOf).Distinct())
        {
            if (type is null || instances.Of(type) is not { } found)
            {
                return null;
            }

            objects.UnionWith(found);
        }

        return [.. objects];
    }

    /// <inheritdoc cref="ProgramUsers.MayBegin"/>
    /// <remarks>Of a delegate of the method itself only one that .NET calls again and again counts, as a timer does.</remarks>
    public bool MayBegin(string method)
    {
        HashSet<string> leading = code.Graph.LeadingByCalls([method]);
        return threads.Any(thread => code.Search.CanCome(thread, leading, static (_, _, _) => false))
            || code.Flows.Coming((module, token, instruction) => code.Graph.Leads(module, token, instruction, leading)).Any()
            || code.Delegates.Any(found => leading.Contains(found.Method) && CallbackTypes.Contains(found.Type));
    }

    /// <summary>
    /// The threads, delegates and async methods that come to such an instruction on every way that they can take from where they are.
    /// </summary>
    /// <param name="methods">The methods that have such an instruction.</param>
    /// <param name="isOne">Whether an instruction, of a module's method, is such.</param>
    /// <param name="waits">Whether a method waits for what another thread gives.</param>
    public IReadOnlyList<ulong> SureOf(
        IReadOnlyCollection<string> methods, Func<IlModule, int, IlInstruction, bool> isOne, Func<IlMember, bool> waits)
    {
        IReadOnlyCollection<string> calling = CallingOf(methods);
        SureCalls sure = CallsOf(calling, isOne, waits);
        return
        [
            .. threads.Where(thread => IsSure(thread, sure)).Select(thread => thread.Address),
            .. _methods.Value.Where(found => calling.Contains(found.Method!) && IsSure(found.Method!, sure)).Select(found => found.Delegate),
            .. code.Flows.Surely(sure).SelectMany(flow => _groups[flow.Address].Boxes),
        ];
    }

    private IReadOnlyCollection<string> CallingOf(IReadOnlyCollection<string> methods)
        => code.Graph.CallingDirectly(methods, SureCalls.MostRounds);

    private SureCalls CallsOf(
        IReadOnlyCollection<string> calling, Func<IlModule, int, IlInstruction, bool> isOne, Func<IlMember, bool> waits)
        => new(
            [.. calling.SelectMany(code.Graph.PlacesOf)],
            (module, method, instruction) => isOne(module, method, instruction) && !PulseCalls.IsBare(module, method, instruction), waits);

    private bool IsSure(string method, SureCalls sure)
        => code.Graph.PlacesOf(method) is { Count: > 0 } places && places.All(place => sure.Comes(place.Module, place.Method));

    // From the innermost method of the program's out to the one that the thread began with. What it has called can be the runtime's own
    // part of a method that is compiled into it.
    private bool IsSure(ClrThread thread, SureCalls sure)
    {
        ClrStackFrame? called = null;
        foreach (ClrStackFrame frame in walked.Of(thread).Where(frame => frame.Method is not null))
        {
            if (frame.Kind == ClrStackFrameKind.ManagedMethod && !ManagedStack.IsStub(frame.Method)
                && modules.Of(frame.Method) is { } module)
            {
                bool? comes = BringerSearch.PlaceIn(module, frame, called) is { } place
                    ? sure.Comes(module, frame.Method!.MetadataToken, place)
                    : false;
                if (comes is { } known)
                {
                    return known;
                }
            }

            called = frame;
        }

        return false;
    }
}
