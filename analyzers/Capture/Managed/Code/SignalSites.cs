using System.Reflection.Metadata;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Where the program's instructions end waits, by the kind of what is waited for.</summary>
internal sealed class SignalSites
{
    // new EventWaitHandle(false, mode, "name"): other processes can open it.
    private const string Constructor = ".ctor";
    private const string Text = "String";
    private const string Resume = "MoveNext";
    private const string Array = "[]";
    private const string Value = "System.ValueType";

    private readonly PassedVariables _variables = new();
    private readonly Dictionary<SignalFamily, List<Site>> _sites = [];
    private readonly Dictionary<(IlModule Module, int Method, int Offset), Site> _known = [];
    private readonly HashSet<SignalFamily> _open = [];

    // Of these the program gives objects to libraries, or gets them from one.
    private readonly HashSet<SignalFamily> _shared = [];

    // Fields into which something else than a new object is put, and those that are handed out by their place.
    private readonly HashSet<string> _filled = new(StringComparer.Ordinal);

    // What the calls are for that name a channel itself. A walk that names other items may be over what these derive from.
    private readonly HashSet<ConstructedType> _items = [];
    private readonly HashSet<(SignalFamily Family, string Method)> _handing = [];
    private readonly Dictionary<(IlModule Module, int Token), SignalFamily[]> _given = [];

    /// <summary>The modules of libraries, to be set before any code is added.</summary>
    public IReadOnlySet<IlModule> Libraries { get; set; } = new HashSet<IlModule>();

    /// <summary>A method that may hand out what is signalled by who gets it.</summary>
    /// <param name="module">The module.</param>
    /// <param name="token">The method.</param>
    /// <param name="method">Its full name.</param>
    public void Add(IlModule module, int token, string method)
    {
        if (module.Names.ShapeOf(token)?.Result is { } result)
        {
            foreach (SignalFamily family in SignalFamilies.HandedBy(method, result).Where(handed => !handed.IsPlainResult))
            {
                _handing.Add((family, method));
            }
        }
    }

    /// <summary>The methods that hand out objects of the family: where the framework calls one, it may signal what it gets.</summary>
    public IEnumerable<string> HandingOut(SignalFamily family) => _handing.Where(pair => pair.Family == family).Select(pair => pair.Method);

    /// <param name="module">The module.</param>
    /// <param name="token">The method that has the instruction.</param>
    /// <param name="method">Its full name.</param>
    /// <param name="body">Its instructions.</param>
    /// <param name="index">Any of them.</param>
    public void Add(IlModule module, int token, string method, IReadOnlyList<IlInstruction> body, int index)
    {
        IlInstruction instruction = body[index];
        if (IsFilling(module, token, method, body, index) && module.Names.Member(instruction.Operand) is { } filled)
        {
            _filled.Add(filled.FullName);
        }

        if ((!instruction.IsCall && instruction.Code != ILOpCode.Ldtoken) || GivenBy(module, instruction.Operand) is not { Length: > 0 } given)
        {
            return;
        }

        string? field = IsMadeOnObject(module, instruction, given) ? IlReceivers.FieldOf(module, body, index) : null;
        Site site = new(method, field, TypeOf(module, instruction, given), IsWalk(module, instruction.Operand))
        {
            IsFresh = new Lazy<bool>(() => IlFresh.IsMade(module, token, index)),
            IsOfLibrary = Libraries.Contains(module),
        };
        _known[(module, token, instruction.Offset)] = site;
        AddPassing(module, site, given);
        foreach (SignalFamily family in given)
        {
            if (site is { IsWalk: false, Type: { } type } && family.IsByElement)
            {
                _items.Add(type);
            }

            SitesOf(family).Add(site);
            if (instruction.Code is ILOpCode.Ldtoken or ILOpCode.Ldftn or ILOpCode.Ldvirtftn && !IlInstruction.MakesDelegate(body, index))
            {
                // A delegate of the method refers to the object; what is made of this is not seen.
                _open.Add(family);
            }
        }
    }

    // What a constructor makes for a field of its own object is new; a value type is copied with what its fields hold.
    private static bool IsFilling(IlModule module, int token, string method, IReadOnlyList<IlInstruction> body, int index)
        => body[index].Code switch
        {
            ILOpCode.Ldflda or ILOpCode.Ldsflda => true,
            ILOpCode.Stfld or ILOpCode.Stsfld => index == 0 || body[index - 1].Code switch
            {
                ILOpCode.Ldnull => false,
                ILOpCode.Newobj => !IsConstructor(method) || module.Names.ParentsOf(token).Base == Value
                    || module.Names.Member(body[index].Operand)?.Type != method[..method.LastIndexOf("..", StringComparison.Ordinal)],
                _ => true,
            },
            _ => false,
        };

    private static bool IsConstructor(string method)
        => method.EndsWith("..ctor", StringComparison.Ordinal) || method.EndsWith("..cctor", StringComparison.Ordinal);

    // A variable's object is signalled: so is what the variable is given, whatever it is.
    private void AddPassing(IlModule module, Site site, SignalFamily[] given)
    {
        foreach ((int method, int offset) in site.Field is { } field ? _variables.GivenIn(module, field) : [])
        {
            Site passing = new(module.Names.Member(method)!.FullName, null, site.Type, site.IsWalk) { Passes = given };
            _known[(module, method, offset)] = passing;
            foreach (SignalFamily family in given)
            {
                SitesOf(family).Add(passing);
            }
        }
    }

    private List<Site> SitesOf(SignalFamily family)
    {
        if (!_sites.TryGetValue(family, out List<Site>? sites))
        {
            _sites.Add(family, sites = []);
        }

        return sites;
    }

    /// <summary>The methods that have such a call; null where others than the program's code may end such waits.</summary>
    public IReadOnlyCollection<string>? MethodsOf(SignalKind kind)
        => _open.Contains(kind.Family) ? null
            : _sites.TryGetValue(kind.Family, out List<Site>? sites)
                ?
                [
                    .. sites.GroupBy(site => site.Method, StringComparer.Ordinal).Where(method => Has(kind, [.. method]))
                        .Select(method => method.Key),
                ]
                : [];

    /// <summary>
    /// Each such call is made on an object that was made for it, by the same method or by the one that hands it on: of those that are kept
    /// somewhere none is signalled by who finds it there.
    /// </summary>
    public bool AreFresh(SignalKind kind)
        => !_open.Contains(kind.Family)
            && _sites.TryGetValue(kind.Family, out List<Site>? sites)
            && sites.Where(site => site.Passes is null && Has(kind, site)).ToArray() is { Length: > 0 } calls
            && calls.All(call => call.IsFresh.Value);

    /// <summary>The instruction is such a call, or gives the object to a variable whose object is signalled.</summary>
    public bool Gives(IlModule module, int method, IlInstruction instruction, SignalKind kind)
        => SiteOf(module, method, instruction, kind) is { } site
            && (site.Passes?.Contains(kind.Family) ?? IsCallOf(module, instruction, kind));

    /// <summary>The instruction is such a call.</summary>
    public bool Signals(IlModule module, int method, IlInstruction instruction, SignalKind kind)
        => SiteOf(module, method, instruction, kind) is { Passes: null } && IsCallOf(module, instruction, kind);

    private Site? SiteOf(IlModule module, int method, IlInstruction instruction, SignalKind kind)
        => _known.TryGetValue((module, method, instruction.Offset), out Site? site) && Has(kind, site) ? site : null;

    private bool IsCallOf(IlModule module, IlInstruction instruction, SignalKind kind)
        => instruction.IsCall && GivenBy(module, instruction.Operand).Contains(kind.Family);

    // Who walks over what a channel gives out asks the walk for the next: a method with as many walks as channels walks over these.
    private bool Has(SignalKind kind, Site[] sites)
        => sites.Any(site => !site.IsWalk && Has(kind, site))
            || (sites.Any(site => site.IsWalk && Has(kind, site))
                && sites.Count(site => site.IsWalk) > sites.Count(site => site is { IsWalk: false, Field: not null }));

    private bool Has(SignalKind kind, Site site)
        => !(kind.IsInNoField && site.Field is { } own && !_filled.Contains(own))
            && !(kind.IsOfProgram && site.IsOfLibrary && !_shared.Contains(kind.Family))
            && kind.Has(site.Field, site.IsWalk && site.Type is { } type && !_items.Contains(type) ? null : site.Type);

    // Of a family whose calls name the type of the object, or what it is for.
    private static ConstructedType? TypeOf(IlModule module, IlInstruction instruction, SignalFamily[] given)
        => given is [{ IsByElement: true } queue]
            ? module.Names.Member(instruction.Operand) is { } call ? ConstructedType.OfItems(queue, call.Type + call.Arguments) : null
            : given is [{ IsByType: true } family] && module.Names.Member(instruction.Operand) is { } called
            && family.Types.Contains(called.Type)
            ? ConstructedType.Of(called.Type + called.Arguments, isVariant: false)
            : null;

    // The object can also be given to the method, come out of an array, or be behind what walks over it.
    private static bool IsMadeOnObject(IlModule module, IlInstruction instruction, SignalFamily[] given)
        => instruction.Code is ILOpCode.Call or ILOpCode.Callvirt
            && module.Names.Member(instruction.Operand) is { } called
            && !called.Name.StartsWith(Resume, StringComparison.Ordinal)
            && module.Names.ShapeOf(instruction.Operand) is { } shape
            && (shape.IsInstance || shape.Parameters is [var first, ..] && !first.EndsWith(Array, StringComparison.Ordinal))
            && given.All(SignalFamilies.GivenBy(called.Type, called.Name).Contains);

    private SignalFamily[] GivenBy(IlModule module, int token)
    {
        if (!_given.TryGetValue((module, token), out SignalFamily[]? given))
        {
            given = module.Names.Member(token) is { IsOwn: false } called ? [.. Look(module, token, called).Distinct()] : [];
            _given.Add((module, token), given);
        }

        return given;
    }

    private IEnumerable<SignalFamily> Look(IlModule module, int token, IlMember called)
    {
        _open.UnionWith(SignalFamilies.ExposedBy(called.Type, called.Name));
        IEnumerable<SignalFamily> given = SignalFamilies.GivenBy(called.Type, called.Name);
        if (!Frameworks.IsOwn(called.Type))
        {
            _shared.UnionWith(Libraries.Contains(module) ? [] : SharedBy(module, token, called));
            return given;
        }

        IReadOnlyList<string> parameters = module.Names.ShapeOf(token)?.Parameters ?? [];
        if (called.Name == Constructor && parameters.Contains(Text) && SignalFamilies.Of(called.Type) is { Exposes.Count: > 0 } named)
        {
            _open.Add(named);
        }

        return given.Concat(parameters.SelectMany(parameter => SignalFamilies.HandedBy(called.FullName, parameter)));
    }

    // By what it names: who gets one as a plain object does not know it for such.
    private static IEnumerable<SignalFamily> SharedBy(IlModule module, int token, IlMember called)
    {
        IlCallShape? shape = module.Names.ShapeOf(token);
        string[] named = [called.Type + called.Arguments, shape?.Result ?? string.Empty, .. shape?.Parameters ?? []];
        return SignalFamilies.NamedByType.Where(family
            => family.Types.Any(type => named.Any(name => name.Contains(type, StringComparison.Ordinal))));
    }

    private static bool IsWalk(IlModule module, int token)
        => module.Names.Member(token)?.Name.StartsWith(Resume, StringComparison.Ordinal) == true;

    private sealed record Site(string Method, string? Field, ConstructedType? Type, bool IsWalk)
    {
        /// <summary>Null for a call.</summary>
        public IReadOnlyList<SignalFamily>? Passes { get; init; }

        public Lazy<bool> IsFresh { get; init; } = new(false);

        public bool IsOfLibrary { get; init; }
    }
}
