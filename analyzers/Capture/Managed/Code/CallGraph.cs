using System.Reflection.Metadata;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Which methods of the program can come to which others, by every call in their instructions. Overloads are one; a virtual call and a
/// call of an interface lead to every override of that name; a call of a delegate to every method that a delegate of that type was made
/// for; who makes a delegate or starts an async method counts as calling it. So more leads to a method here than in truth.
/// </summary>
internal sealed class CallGraph
{
    private const string Resume = "MoveNext";
    private const string Constructor = "..ctor";
    private const char At = '@';

    private readonly Dictionary<string, HashSet<string>> _callers = new(StringComparer.Ordinal);
    private readonly Dictionary<string, HashSet<string>> _writers = new(StringComparer.Ordinal);
    private readonly Dictionary<string, HashSet<string>> _users = new(StringComparer.Ordinal);
    private readonly HashSet<(IlModule Module, int Method, int Offset)> _sites = [];
    private readonly Dictionary<string, HashSet<string>> _givers = new(StringComparer.Ordinal);
    private readonly Dictionary<string, HashSet<string>> _virtualCalls = new(StringComparer.Ordinal);
    private readonly Dictionary<(IlModule Module, int Method, int Offset), string> _receivers = [];
    private readonly Dictionary<string, bool> _areOpen = new(StringComparer.Ordinal);
    private readonly Dictionary<(string Method, bool ByDelegates), string[]> _names = [];
    private readonly HashSet<string> _fields = new(StringComparer.Ordinal);
    private readonly VirtualMethods _virtuals = new();
    private readonly Dictionary<string, List<(IlModule Module, int Method)>> _places = new(StringComparer.Ordinal);
    private readonly HashSet<string> _pointed = new(StringComparer.Ordinal);
    private readonly Dictionary<string, HashSet<string>> _delegates = new(StringComparer.Ordinal);

    /// <summary>Where waits are ended.</summary>
    public SignalSites Signals { get; } = new();

    /// <summary>Where delegates are called.</summary>
    public DelegateSites Delegates { get; } = new();

    public void Add(IlModule module, int method)
    {
        if (module.Names.Member(method) is not { } own)
        {
            return;
        }

        // The state machine of an async method is resumed by its builder alone; who begins one is in the graph.
        bool isOfBuilder = own.Name == Resume && module.IsVirtual(method) && module.IsAsync(method);
        _virtuals.Add(own, isOfBuilder ? null : module.AttributesOf(method), () => module.Names.ParentsOf(method));
        if (!_places.TryGetValue(own.FullName, out List<(IlModule Module, int Method)>? places))
        {
            _places.Add(own.FullName, places = []);
        }

        places.Add((module, method));
        Signals.Add(module, method, own.FullName);
        IReadOnlyList<IlInstruction> body = module.Body(method);
        IlReceiverTypes types = new(module, method, body);
        for (int index = 0; index < body.Count; index++)
        {
            AddFields(module, method, own, body, index);
            Signals.Add(module, method, own.FullName, body, index);
            Delegates.Add(module, method, body, index);
            if (body[index].Code == ILOpCode.Callvirt && types.Of(index) is { } type)
            {
                _receivers.Add((module, method, body[index].Offset), type);
            }

            foreach (string target in TargetsOf(module, method, body[index]))
            {
                if (target[0] == '#')
                {
                    Into(_virtualCalls, target[..target.IndexOf(At)]).Add(target);
                }

                Into(_callers, target).Add(own.FullName);
            }

            AddAddress(module, body, index);
        }
    }

    private void AddFields(IlModule module, int method, IlMember own, IReadOnlyList<IlInstruction> body, int index)
    {
        IlInstruction instruction = body[index];
        if ((!instruction.WritesField && !instruction.ReadsField) || module.Names.Member(instruction.Operand) is not { } named)
        {
            return;
        }

        _fields.Add(named.FullName);
        if (instruction.WritesField && !IlFieldUses.IsRead(module, body, index) && own.Name is not (".ctor" or ".cctor"))
        {
            Into(_writers, named.FullName).Add(own.FullName);
        }

        bool isVariable = instruction.Code is ILOpCode.Ldfld or ILOpCode.Ldflda && MadeTypes.IsClosure(named.Type);
        if (isVariable || (instruction.Code is ILOpCode.Ldsfld or ILOpCode.Ldsflda && own.Name != ".cctor"))
        {
            AddUse(module, method, own.FullName, body, index);
        }
    }

    // A method of which a delegate is made, or that is named otherwise than by a call.
    private void AddAddress(IlModule module, IReadOnlyList<IlInstruction> body, int index)
    {
        IlInstruction instruction = body[index];
        if (instruction.Code is not (ILOpCode.Ldtoken or ILOpCode.Ldftn or ILOpCode.Ldvirtftn)
            || module.Names.Member(instruction.Operand) is not { } named)
        {
            return;
        }

        bool makesDelegate = IlInstruction.MakesDelegate(body, index);
        if (!makesDelegate && instruction.Code != ILOpCode.Ldvirtftn)
        {
            _pointed.Add(named.FullName);
        }
        else if (makesDelegate && module.Names.Member(body[index + 1].Operand) is { } made)
        {
            Into(_delegates, named.FullName).Add(made.Type + made.Arguments);
        }
    }

    /// <summary>Some instruction names the field.</summary>
    public bool HasField(string field) => _fields.Contains(field);

    /// <summary>An instruction names the field otherwise than to read or write it, as an expression does.</summary>
    public bool IsNamedOtherwise(string field) => _pointed.Contains(field);

    /// <summary>The methods of that full name: overloads have the same.</summary>
    public IReadOnlyList<(IlModule Module, int Method)> PlacesOf(string method) => _places.GetValueOrDefault(method) ?? [];

    /// <summary>The methods that write the field or hand out where it is; none of the constructors.</summary>
    public IReadOnlyCollection<string> WritersOf(string field) => _writers.TryGetValue(field, out HashSet<string>? writers) ? writers : [];

    /// <summary>The methods that use the static field, or the variable that lambdas share, and do not merely wait for what it holds.</summary>
    public IReadOnlyCollection<string> UsersOf(string field) => _users.TryGetValue(field, out HashSet<string>? users) ? users : [];

    /// <summary>The instruction is such a use of the field.</summary>
    public bool Uses(IlModule module, int method, IlInstruction instruction, string field)
        => _sites.Contains((module, method, instruction.Offset)) && module.Names.Member(instruction.Operand)?.FullName == field;

    /// <summary>Those of them that signal, complete or fill what it holds.</summary>
    public IReadOnlyCollection<string> GiversOf(string field) => _givers.TryGetValue(field, out HashSet<string>? givers) ? givers : [];

    /// <summary>
    /// Code that is not the program's may call the method: one that overrides or implements a method of a type which is none of the
    /// program's, one that no instruction of the program calls and that is not of a library, one that is named in an expression or by its
    /// address, and one for which a delegate was made of a type that is not looked for on the heap and not the program's own.
    /// </summary>
    public bool IsOpen(string method)
        => IsForeign(method) || IsOpenByCode(method);

    /// <summary>It overrides or implements a method of a type that is none of the program's: who has an object of its type may call it.</summary>
    public bool IsForeign(string method) => _virtuals.IsForeign(method) && !Once.Contains(method);

    /// <summary>The type that declares the method; null for one that is not virtual.</summary>
    public string? TypeOf(string method) => _virtuals.TypeOf(method);

    /// <summary>The same, but for who has an object of the method's type.</summary>
    public bool IsOpenByCode(string method)
    {
        if (!_areOpen.TryGetValue(method, out bool isOpen))
        {
            isOpen = FindOpen(method);
            _areOpen.Add(method, isOpen);
        }

        return isOpen;
    }

    private bool FindOpen(string method)
        => _pointed.Contains(method)
            || (!HasCaller(method) && !Once.Contains(method) && !IsLeftOut(method)
                && !IsMain(method))
            || (_delegates.TryGetValue(method, out HashSet<string>? types)
                && types.Any(type => !CallbackTypes.ContainsKept(type) && !CallbackTypes.StartsThread(type) && !IsOwn(type)));

    /// <summary>
    /// Methods that are not called again: what the first thread runs to the end of the program, and what a host has started.
    /// </summary>
    public HashSet<string> Once { get; } = new(StringComparer.Ordinal);

    /// <summary>The modules of libraries: of their methods those that the program does not call are called by nobody.</summary>
    public IReadOnlySet<IlModule> Libraries { get; init; } = new HashSet<IlModule>();

    /// <summary>There are objects of the type, or there may be.</summary>
    public Func<string, bool> HasObjects { get; init; } = _ => true;

    /// <summary>Methods of which a delegate exists: no others are called by one, but by a delegate that is yet to be made.</summary>
    public HashSet<string> Made { get; } = new(StringComparer.Ordinal);

    /// <summary>These methods, and all that can come to one of them; with the names by which overrides and delegates of them are called.</summary>
    /// <param name="methods">The methods.</param>
    /// <param name="counts">Which names count; null for all.</param>
    public HashSet<string> LeadingTo(IEnumerable<string> methods, Func<string, bool>? counts = null)
        => Leading(methods, byDelegates: true, counts)!;

    /// <summary>The same, but for who calls delegates that exist; null where code that is not the program's may come there.</summary>
    /// <param name="methods">The methods.</param>
    /// <param name="ofOthers">Who makes an object of this type counts for nothing: what is asked for is another one's; null for no type.</param>
    /// <param name="entries">Whoever comes to a call only behind one of these does not count; null for none.</param>
    public HashSet<string>? LeadingOfProgram(IEnumerable<string> methods, string? ofOthers, EntryCalls? entries = null)
    {
        IReadOnlySet<string> makers = ofOthers is not null && MadeTypes.IsClosure(ofOthers) ? MakersOf(ofOthers) : new HashSet<string>();
        Func<string, bool>? counts = ofOthers is null ? null : name => name != ofOthers + Constructor && !makers.Contains(name);
        return Leading(methods, byDelegates: false, counts, entries: entries);
    }

    /// <summary>The methods that make objects of the type.</summary>
    public IReadOnlySet<string> MakersOf(string type)
        => _callers.TryGetValue(type + Constructor, out HashSet<string>? makers) ? makers : new HashSet<string>();

    /// <summary>The same, whoever else may come there: what is known to call it.</summary>
    public HashSet<string> LeadingByCalls(IEnumerable<string> methods) => Leading(methods, byDelegates: false, null, isOpenToo: true)!;

    /// <summary>These methods, and those that come to one by calls that can lead nowhere else, at most so many of them in a row.</summary>
    public IReadOnlyCollection<string> CallingDirectly(IEnumerable<string> methods, int most)
    {
        HashSet<string> seen = new(methods, StringComparer.Ordinal);
        string[] last = [.. seen];
        for (int step = 0; step < most && last.Length > 0; step++)
        {
            last = [.. last.SelectMany(name => _callers.TryGetValue(name, out HashSet<string>? callers) ? callers : []).Where(seen.Add)];
        }

        return seen;
    }

    private HashSet<string>? Leading(
        IEnumerable<string> methods, bool byDelegates, Func<string, bool>? counts, bool isOpenToo = false, EntryCalls? entries = null)
    {
        Dictionary<string, HashSet<string>> called = new(StringComparer.Ordinal);
        HashSet<string> seen = new(StringComparer.Ordinal);
        Queue<string> open = new();
        Enter(methods);
        while (open.TryDequeue(out string? name))
        {
            if (!byDelegates && !isOpenToo && name[0] is not ('#' or '@') && IsOpenByCode(name))
            {
                return null;
            }

            Enter((_callers.TryGetValue(name, out HashSet<string>? callers) ? callers : [])
                .Where(caller => !Once.Contains(caller) && (entries is null || CalledBefore(caller).Contains(name))));
        }

        return seen;

        HashSet<string> CalledBefore(string caller)
        {
            if (!called.TryGetValue(caller, out HashSet<string>? before))
            {
                before = [.. PlacesOf(caller).SelectMany(place => CalledWithout(entries!, place.Module, place.Method))];
                called.Add(caller, before);
            }

            return before;
        }

        void Enter(IEnumerable<string> found)
        {
            IEnumerable<string> names = found.SelectMany(method => NamesOf(method, byDelegates));
            foreach (string next in names.Where(next => counts?.Invoke(next) != false && seen.Add(next)))
            {
                open.Enqueue(next);
            }
        }
    }

    // What a method calls before it comes to one of these.
    private IEnumerable<string> CalledWithout(EntryCalls entries, IlModule module, int method)
        => IlReach.From(module, method, 0, entries.Contains).SelectMany(instruction => TargetsOf(module, method, instruction));

    /// <summary>The instruction can lead to one of these methods.</summary>
    /// <param name="module">The module that has it.</param>
    /// <param name="method">The method that has it.</param>
    /// <param name="instruction">The instruction.</param>
    /// <param name="leading">The methods.</param>
    public bool Leads(IlModule module, int method, IlInstruction instruction, HashSet<string> leading)
        => TargetsOf(module, method, instruction).Any(leading.Contains);

    // What the program does not use of a library. What is known by its name, as a link of a pipeline, may be called by .NET, as is the
    // constructor of a type that it makes objects of.
    private bool IsLeftOut(string method)
        => PlacesOf(method) is { Count: > 0 } places
            && places.All(place => Libraries.Contains(place.Module)
                && place.Module.IsUnmarked(place.Method)
                && place.Module.Names.Member(place.Method) is { Name: not ("Invoke" or "InvokeAsync") } called
                && (called.Name != ".ctor" || !HasObjects(called.Type)));

    private bool HasCaller(string method) => _callers.ContainsKey(method) || VirtualNamesOf(method).Any(_callers.ContainsKey);

    // The calls of its name, each with the static type of the object, that may come to it: "#Dispose@System.IDisposable".
    private IEnumerable<string> VirtualNamesOf(string method)
    {
        if (!_virtuals.Contains(method))
        {
            return [];
        }

        string name = "#" + Simple(method);
        return _virtuals.ReceiversOf(method) is not { } receivers
            ? _virtualCalls.TryGetValue(name, out HashSet<string>? all) ? all : []
            : receivers.Select(type => $"{name}{At}{type}");
    }

    // The program alone calls delegates of a type that it has declared and calls.
    private bool IsOwn(string type)
        => _virtuals.IsOwn(Generic(type)) && (_callers.ContainsKey("@" + type) || _callers.ContainsKey("@" + Open(type)));

    // By its own name, by that of its overrides, by that of the delegates that were made for it.
    private string[] NamesOf(string method, bool byDelegates)
    {
        if (!_names.TryGetValue((method, byDelegates), out string[]? names))
        {
            names = [.. FindNames(method, byDelegates)];
            _names.Add((method, byDelegates), names);
        }

        return names;
    }

    private IEnumerable<string> FindNames(string method, bool byDelegates)
        => (_delegates.TryGetValue(method, out HashSet<string>? types) ? types : Enumerable.Empty<string>())
            .Where(type => (byDelegates && Made.Contains(method)) || IsOwn(type))
            .SelectMany(type => new[] { "@" + type, "@" + Open(type) })
            .Concat(VirtualNamesOf(method))
            .Concat(OfMakers(method))
            .Prepend(method);

    // Who makes an object may give it to code of .NET, which calls what it overrides of .NET's.
    private IEnumerable<string> OfMakers(string method) => IsForeign(method) ? [_virtuals.TypeOf(method) + Constructor] : [];

    private IEnumerable<string> TargetsOf(IlModule module, int method, IlInstruction instruction)
    {
        if ((!instruction.IsCall && !instruction.Stores) || module.Names.Member(instruction.Operand) is not { } member)
        {
            yield break;
        }

        // An async method or an iterator begins by making its state machine.
        if (member.IsOwn && MadeTypes.IsMachine(member.Type))
        {
            yield return $"{member.Type}.{Resume}";
        }

        if (instruction.IsCall)
        {
            yield return member.FullName;
            if (instruction.Code is ILOpCode.Callvirt or ILOpCode.Ldvirtftn && !(member.IsOwn && !module.IsVirtual(member.Definition)))
            {
                string type = _receivers.GetValueOrDefault((module, method, instruction.Offset)) ?? member.Type;
                yield return member.Name != "Invoke" ? $"#{member.Name}{At}{type}"
                    : member.Arguments.Contains(IlTypeNames.Any, StringComparison.Ordinal) ? "@" + Open(member.Type)
                    : "@" + member.Type + member.Arguments;
            }
        }
    }

    // A generic method calls delegates of any types.
    private static string Open(string type) => Generic(type) + "*";

    private static string Generic(string type) => type.IndexOf('<', StringComparison.Ordinal) is > 0 and int start ? type[..start] : type;

    private void AddUse(IlModule module, int method, string name, IReadOnlyList<IlInstruction> body, int index)
    {
        if (module.Names.Member(body[index].Operand) is not { } used)
        {
            return;
        }

        string? use = IlFieldUses.SignalledBy(module, body, index);
        if (use is null || !SignalUses.Waits(use))
        {
            Into(_users, used.FullName).Add(name);
            _sites.Add((module, method, body[index].Offset));
        }

        if (use is not null && SignalUses.Gives(use))
        {
            Into(_givers, used.FullName).Add(name);
        }
    }

    /// <summary>The program begins with it, as written or as the compiler makes it.</summary>
    /// <param name="method">Its name, with its type or without.</param>
    public static bool IsMain(string method) => Simple(method) is "Main" or "<Main>" or "<Main>$";

    private static string Simple(string method) => method[(method.LastIndexOf('.') + 1)..];

    private static HashSet<string> Into(Dictionary<string, HashSet<string>> map, string key)
    {
        if (!map.TryGetValue(key, out HashSet<string>? set))
        {
            map.Add(key, set = new HashSet<string>(StringComparer.Ordinal));
        }

        return set;
    }
}
