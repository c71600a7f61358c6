using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Gathers delegates of each method that delegates of the heap stand for: all where there are few, else some.</summary>
internal sealed class DelegateVisitor : IHeapVisitor
{
    private const string Delegates = "System.MulticastDelegate";
    private const int MostKinds = 50_000;
    private const int MostInAll = 50_000;
    private const int MostOfMethod = 512;

    // Kept of each method and type, however many there are in all.
    private const int LeastOfMethod = 8;

    private readonly Dictionary<ulong, (int Code, int Other)> _offsets = [];
    private readonly Dictionary<(ulong Code, ulong Type), int> _kept = [];
    private readonly HashSet<(ulong Code, ulong Type)> _cut = [];
    private readonly Dictionary<ulong, (ulong Code, ulong Type)> _kinds = [];
    private readonly Lazy<ILookup<(ulong Code, ulong Type), ulong>> _byKind;

    private readonly int _mostInAll;

    /// <param name="mostInAll">So many are kept before the few of each method are all that is.</param>
    public DelegateVisitor(int mostInAll = MostInAll)
    {
        _mostInAll = mostInAll;
        _byKind = new(() => _kinds.ToLookup(pair => pair.Value, pair => pair.Key));
    }

    /// <summary>One delegate of each method and type.</summary>
    public IEnumerable<ulong> Samples => _byKind.Value.Select(kind => kind.First());

    /// <summary>The delegates of the same method and type as this one.</summary>
    public IEnumerable<ulong> Alike(ulong found) => _byKind.Value[_kinds[found]];

    /// <summary>Of this one's method and type there are more than are kept.</summary>
    public bool IsOfMany(ulong found) => _cut.Contains(_kinds[found]);

    /// <summary>There are methods of which none is kept.</summary>
    public bool IsCut { get; private set; }

    /// <summary>It is a type of delegates.</summary>
    public static bool IsDelegate(ClrType? type) => type?.BaseType?.Name == Delegates;

    public bool Wants(ClrType type)
    {
        // What starts a thread is run by that thread, which is seen; what the program itself calls is among its instructions.
        if (!IsDelegate(type) || !CallbackTypes.ContainsKept(type.Name)
            || type.GetFieldByName("_methodPtr") is not { } code || type.GetFieldByName("_methodPtrAux") is not { } other)
        {
            return false;
        }

        _offsets[type.MethodTable] = (code.Offset, other.Offset);
        return true;
    }

    public void Visit(HeapObject found)
    {
        (int code, int other) = _offsets[found.Type.MethodTable];
        ulong target = found.ReadPointer(other) is not 0 and ulong direct ? direct : found.ReadPointer(code);
        (ulong, ulong) kind = (target, found.Type.MethodTable);
        int kept = _kept.GetValueOrDefault(kind);
        if (kept == 0 && _kept.Count >= MostKinds)
        {
            IsCut = true;
        }
        else if (kept < (_kinds.Count < _mostInAll ? MostOfMethod : LeastOfMethod))
        {
            _kept[kind] = kept + 1;
            _kinds.Add(found.Address, kind);
        }
        else
        {
            _cut.Add(kind);
        }
    }
}
