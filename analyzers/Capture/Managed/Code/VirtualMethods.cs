using System.Reflection;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// The program's virtual methods, and which of them code that is not the program's may call: those that override or implement a method
/// of a type that is none of the program's.
/// </summary>
internal sealed class VirtualMethods
{
    private const string Root = "System.Object";
    private const int Deepest = 32;

    // What these tell of an object is asked of it anywhere, and nothing else is done by them.
    private static readonly string[] s_plain = ["ToString", "Equals", "GetHashCode", "CompareTo"];

    private readonly Dictionary<string, VirtualMethod> _methods = new(StringComparer.Ordinal);
    private readonly Dictionary<string, TypeParents> _parents = new(StringComparer.Ordinal);
    private readonly Dictionary<VirtualMethod, bool?> _foreign = [];
    private readonly Dictionary<string, IReadOnlyCollection<string>?> _receivers = new(StringComparer.Ordinal);
    private ILookup<string, string>? _derived;

    /// <param name="method">Any method.</param>
    /// <param name="attributes">Its attributes; null where it counts as none that is virtual.</param>
    /// <param name="parents">Reads what its type derives from and implements.</param>
    public void Add(IlMember method, MethodAttributes? attributes, Func<TypeParents> parents)
    {
        _foreign.Clear();
        if (!_parents.ContainsKey(method.Type))
        {
            _parents.Add(method.Type, parents());
        }

        if (attributes is { } virtually && (virtually & MethodAttributes.Virtual) != 0)
        {
            // An explicit implementation has the name of the interface before its own.
            string name = method.Name[(method.Name.LastIndexOf('.') + 1)..];
            _methods.TryAdd(method.FullName, new VirtualMethod(method.Type, name, virtually));
        }
    }

    public bool Contains(string method) => _methods.ContainsKey(method);

    /// <summary>
    /// The static types by which a call of its name may come to it: its own, those that derive from it, and what all these derive from and
    /// implement; null where one derives from a type of .NET's, whose own parents are not read.
    /// </summary>
    public IReadOnlyCollection<string>? ReceiversOf(string method)
    {
        if (!_methods.TryGetValue(method, out VirtualMethod? found))
        {
            return [];
        }

        if (!_receivers.TryGetValue(found.Type, out IReadOnlyCollection<string>? receivers))
        {
            receivers = ReceiversOfType(found.Type);
            _receivers.Add(found.Type, receivers);
        }

        return receivers;
    }

    private IReadOnlyCollection<string>? ReceiversOfType(string type)
    {
        _derived ??= _parents.Where(pair => pair.Value.Base is not null)
            .ToLookup(pair => pair.Value.Base!, pair => pair.Key, StringComparer.Ordinal);
        HashSet<string> receivers = new(StringComparer.Ordinal) { Root };
        HashSet<string> own = new(StringComparer.Ordinal) { type };
        Queue<string> open = new([type]);
        while (open.TryDequeue(out string? next))
        {
            foreach (string derived in _derived[next].Where(own.Add))
            {
                open.Enqueue(derived);
            }
        }

        return own.All(one => AddParents(one, receivers)) ? receivers : null;
    }

    // False where it derives from a type of .NET's, but for those that all derive from.
    private bool AddParents(string type, HashSet<string> found)
    {
        string? at = type;
        for (int depth = 0; depth < Deepest && at is not null && _parents.TryGetValue(at, out TypeParents? parents); depth++)
        {
            found.Add(at);
            found.UnionWith(parents.Interfaces);
            at = parents.Base;
        }

        return at is null or Root or "System.ValueType";
    }

    /// <summary>The type that declares the method.</summary>
    public string? TypeOf(string method) => _methods.GetValueOrDefault(method)?.Type;

    /// <summary>It is a type of the program's that has methods.</summary>
    public bool IsOwn(string type) => _parents.ContainsKey(type);

    /// <summary>False for a method that is not virtual.</summary>
    public bool IsForeign(string method)
        => _methods.TryGetValue(method, out VirtualMethod? found) && !s_plain.Contains(found.Name) && IsForeign(found);

    // Types of one name and different numbers of arguments are one here, so that a type can be among its own parents.
    private bool IsForeign(VirtualMethod method)
    {
        if (_foreign.TryGetValue(method, out bool? known))
        {
            return known == true;
        }

        _foreign[method] = null;
        TypeParents parents = _parents.GetValueOrDefault(method.Type) ?? TypeParents.None;
        VirtualMethod[] own =
        [
            .. parents.Interfaces.Append(parents.Base).OfType<string>()
                .Select(parent => Find(parent, method.Name, Deepest)).OfType<VirtualMethod>()
                .Where(declared => !_foreign.TryGetValue(declared, out bool? found) || found is not null),
        ];
        bool isForeign = own.Length > 0 ? own.Any(IsForeign) : IsOfOthers(method, parents);
        _foreign[method] = isForeign;
        return isForeign;
    }

    private bool IsOfOthers(VirtualMethod method, TypeParents parents)
    {
        bool isNew = (method.Attributes & MethodAttributes.NewSlot) != 0;
        bool isFinal = (method.Attributes & MethodAttributes.Final) != 0;
        return !isNew || isFinal || parents.Interfaces.Any(parent => !_parents.ContainsKey(parent));
    }

    // Of the program's own types: the type itself, or one that it derives from.
    private VirtualMethod? Find(string type, string name, int depth)
        => depth == 0 || type == Root || !_parents.TryGetValue(type, out TypeParents? parents) ? null
            : _methods.TryGetValue($"{type}.{name}", out VirtualMethod? found) ? found
            : parents.Base is { } next ? Find(next, name, depth - 1)
            : null;

    private sealed record VirtualMethod(string Type, string Name, MethodAttributes Attributes);
}
