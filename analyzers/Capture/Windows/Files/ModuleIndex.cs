using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Files;

/// <summary>Modules sorted by address.</summary>
internal sealed class ModuleIndex
{
    private const ulong HighestBase = ulong.MaxValue - (1UL << 34);

    private readonly ModuleFacts[] _modules;
    private readonly ulong[] _bases;

    public ModuleIndex(IReadOnlyList<ModuleFacts> modules)
    {
        List<ModuleFacts> sorted = new(modules.Count);
        foreach (ModuleFacts module in modules)
        {
            // So that no address within an image wraps around; no image of Windows lies there or is that large.
            if (module.Base.Value <= HighestBase && module.Size <= uint.MaxValue)
            {
                sorted.Add(module);
            }
        }

        sorted.Sort(static (a, b) => a.Base.Value.CompareTo(b.Base.Value));
        _modules = [.. sorted];
        _bases = new ulong[_modules.Length];
        for (int i = 0; i < _modules.Length; i++)
        {
            _bases[i] = _modules[i].Base.Value;
        }
    }

    public IReadOnlyList<ModuleFacts> All => _modules;

    /// <summary>The module that holds an address; -1 outside every one. Of modules that overlap, the one that starts highest.</summary>
    public int Find(ulong address)
    {
        int index = Array.BinarySearch(_bases, address);
        index = index < 0 ? ~index - 1 : index;
        return index >= 0 && address - _bases[index] < _modules[index].Size ? index : -1;
    }
}
