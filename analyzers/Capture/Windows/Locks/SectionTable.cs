using HangTriage.Capture.Windows.Loader;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>The critical sections that were found, by whatever way, each read once.</summary>
internal sealed class SectionTable
{
    private readonly LockContext _context;
    private readonly ulong _loaderLock;
    private readonly ulong _fastPebLock;
    private readonly Dictionary<ulong, LockFacts> _sections = [];

    /// <param name="context">Memory and layout.</param>
    /// <param name="peb">The process environment block, where it is known.</param>
    /// <param name="loaderLock">The loader lock, where it is known.</param>
    public SectionTable(LockContext context, Known<Address> peb, Known<LockFacts> loaderLock)
    {
        _context = context;
        if (loaderLock.TryGet(out LockFacts? loader))
        {
            _loaderLock = loader.Id.Address.Value;
            _sections.Add(_loaderLock, loader);
        }

        if (peb.TryGet(out Address block))
        {
            _ = context.Memory.TryReadPointer(block.Value + (ulong)context.Layout.PebFastLock, context.Layout.PointerSize, out _fastPebLock);
        }
    }

    public LockFacts this[ulong address]
    {
        get
        {
            if (!_sections.TryGetValue(address, out LockFacts? section))
            {
                LockId id = new(LockKind.CriticalSection, new Address(address));
                section = CriticalSection.Read(_context.Memory, _context.Layout, id, NameOf(address));
                _sections.Add(address, section);
            }

            return section;
        }
    }

    /// <summary>All but the loader lock that are held, waited for or of unknown state, by address.</summary>
    public IEnumerable<LockFacts> Noteworthy(IReadOnlySet<ulong> waitedFor)
        => _sections
            .Where(pair => pair.Key != _loaderLock && (!pair.Value.IsHeld.Is(isHeld => !isHeld) || waitedFor.Contains(pair.Key)))
            .OrderBy(pair => pair.Key)
            .Select(pair => pair.Value);

    /// <summary>A section in the data of a module is named after its place there; one on a heap or a stack has no name.</summary>
    private Known<string> NameOf(ulong address)
        => address == _fastPebLock ? Known.Derived("process environment block lock") : LockNames.ByPlace(_context.Images, address);
}
