using System.Buffers.Binary;
using System.Text;

namespace HangTriage.Capture.Windows.Pdb;

/// <summary>
/// The functions of a PDB, sorted by address: public symbols (S_PUB32) and, in a PDB with private ones, procedures
/// (S_GPROC32 and S_LPROC32 of cvinfo.h). Names stay in the file until they are asked for.
/// </summary>
internal sealed class PdbNames : IFunctionNames
{
    private const int MaxAliases = 32;

    private readonly PdbFile _pdb;
    private readonly int _nameLimit;
    private readonly uint[] _rvas;
    private readonly PdbSymbol[] _symbols;
    private readonly Dictionary<uint, string?> _nameByRva = [];

    private PdbNames(PdbFile pdb, int nameLimit, uint[] rvas, PdbSymbol[] symbols)
    {
        _pdb = pdb;
        _nameLimit = nameLimit;
        _rvas = rvas;
        _symbols = symbols;
    }

    /// <summary>Reads where all functions lie.</summary>
    /// <param name="pdb">The PDB, which must stay open.</param>
    /// <param name="limits">Bounds on symbols and names.</param>
    /// <param name="cancellation">Checked some times a second.</param>
    /// <param name="why">What is missing of it, as a clause about the PDB; null where nothing is.</param>
    public static PdbNames Read(PdbFile pdb, CaptureLimits limits, CancellationToken cancellation, out string? why)
    {
        if (pdb.IsRearranged || pdb.Sections is not { } headers)
        {
            why = pdb.IsRearranged ? "it is of an image that was rearranged after linking (OMAP), which is not read" : "it has no section headers";
            return new PdbNames(pdb, limits.NameLength, [], []);
        }

        PdbSymbolReader reader = new(PdbSections.Read(headers), limits.SymbolsPerPdb, cancellation);
        reader.ReadAll(pdb);
        uint[] rvas = [.. reader.Rvas];
        PdbSymbol[] symbols = [.. reader.Symbols];
        Array.Sort(rvas, symbols);
        why = reader.IsCut ? $"it has more symbols than the limit of {limits.SymbolsPerPdb}"
            : rvas.Length == 0 ? "it names no function"
            : null;
        return new PdbNames(pdb, limits.NameLength, rvas, symbols);
    }

    public bool TryFindNearest(uint rva, uint lowest, out uint start, out string? name)
    {
        int index = Array.BinarySearch(_rvas, rva);
        index = index < 0 ? ~index - 1 : index;
        start = index >= 0 ? _rvas[index] : 0;
        bool isFound = index >= 0 && start >= lowest;
        name = isFound ? NameAt(index) : null;
        return isFound;
    }

    private string? NameAt(int index)
    {
        uint rva = _rvas[index];
        if (_nameByRva.TryGetValue(rva, out string? cached))
        {
            return cached;
        }

        while (index > 0 && _rvas[index - 1] == rva)
        {
            index--;
        }

        string? best = null;
        for (int i = 0; i < MaxAliases && index + i < _rvas.Length && _rvas[index + i] == rva; i++)
        {
            string? name = ReadName(_symbols[index + i]);
            best = name is not null && (best is null || FunctionAlias.IsBetter(name, best)) ? name : best;
        }

        _nameByRva[rva] = best;
        return best;
    }

    private string? ReadName(PdbSymbol symbol)
    {
        byte[] bytes = new byte[_nameLimit];
        int read = _pdb.Stream(symbol.Stream)?.Read(symbol.NameOffset, bytes) ?? 0;
        int end = bytes.AsSpan(0, read).IndexOf((byte)0);
        string name = Encoding.UTF8.GetString(bytes, 0, end < 0 ? read : end);
        name = SafeText.Clean(_pdb.IsX86 && name.Length > 1 && name[0] is '_' or '@' ? name[1..] : name);
        return name.Length == 0 ? null : name;
    }
}
