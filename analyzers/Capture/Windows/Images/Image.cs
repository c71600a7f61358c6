using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Images;

/// <summary>An image in the target's memory, its headers and tables read when they are first asked for.</summary>
internal sealed class Image
{
    private readonly TargetMemory _memory;
    private readonly CaptureLimits _limits;
    private readonly PdbFiles? _pdbs;
    private readonly IFunctionNamer? _functionNamer;
    private bool _areHeadersRead;
    private PeHeaders? _headers;
    private FunctionTable? _functions;
    private bool _areExportsRead;
    private ExportTable? _exports;
    private bool _areNamesRead;
    private IFunctionNames? _names;

    public Image(ModuleFacts module, TargetMemory memory, CaptureLimits limits, PdbFiles? pdbs, IFunctionNamer? functionNamer)
    {
        _pdbs = pdbs;
        _functionNamer = functionNamer;
        Module = module;
        _memory = memory;
        _limits = limits;
    }

    public ModuleFacts Module { get; }

    public ulong Base => Module.Base.Value;

    /// <summary>Null where the image's headers are not in the target's memory.</summary>
    public FunctionTable? Functions
    {
        get
        {
            if (_functions is null && Headers is { } headers)
            {
                _functions = new FunctionTable(_memory, Base, headers.Exceptions, _limits);
            }

            return _functions;
        }
    }

    /// <summary>Null where the headers or the table are not in the target's memory.</summary>
    public ExportTable? Exports
    {
        get
        {
            if (!_areExportsRead)
            {
                _areExportsRead = true;
                _exports = Headers is { } headers ? ExportTable.Read(_memory, Base, headers, _limits) : null;
            }

            return _exports;
        }
    }

    /// <summary>Names of the PDB, and exports where it has none; null where neither can be read.</summary>
    private IFunctionNames? Names
    {
        get
        {
            if (!_areNamesRead)
            {
                _areNamesRead = true;
                IFunctionNames? pdb = _pdbs is not null && PdbId is { } id ? _pdbs.Find(Module, id) : null;
                _names = pdb is null ? Exports : Exports is { } exports ? new MergedNames(pdb, exports) : pdb;
            }

            return _names;
        }
    }

    private PdbId? PdbId
        => Module.Pdb ?? (Headers is { } headers ? CodeViewRecord.Read(_memory, Base, headers.Debug, _limits.NameLength) : null);

    private PeHeaders? Headers
    {
        get
        {
            if (!_areHeadersRead)
            {
                _areHeadersRead = true;
                _headers = PeHeaders.Read(_memory, Base, Module.Size);
            }

            return _headers;
        }
    }

    public uint Rva(ulong address) => (uint)(address - Base);

    /// <summary>Whether the headers say that code lies there; false where they cannot be read.</summary>
    public bool IsCode(uint rva) => Headers?.IsCode(rva) ?? false;

    /// <summary>Whether data that changes may lie there; true where the headers cannot be read.</summary>
    public bool IsWritable(uint rva) => Headers?.IsWritable(rva) ?? true;

    /// <summary>
    /// Names the function that an address lies in: by the source's symbols, else by PDB and exports. From these a name is
    /// given only where the function table proves that the name's place and the address are parts of one function: the nearest name below a function that
    /// has none belongs to another one.
    /// </summary>
    /// <param name="rva">From the image's base.</param>
    /// <param name="name">The function's.</param>
    /// <param name="start">Where the name lies, from the image's base; it can lie above the address.</param>
    public bool TryName(uint rva, out string name, out uint start)
    {
        if (_functionNamer is not null && _functionNamer.TryName(Base + rva, out name, out ulong at) && at >= Base)
        {
            start = Rva(at);
            return true;
        }

        name = "";
        start = 0;
        if (Headers is { Is32Bit: true })
        {
            return TryNameNear(rva, out name, out start);
        }

        if (Functions is not { IsEmpty: false } functions || Names is not { } names)
        {
            return false;
        }

        string? found = functions.Find(rva, out FunctionEntry entry, out int index) switch
        {
            FunctionLookup.Found => NameOfFunction(functions, names, entry, rva, out start),
            FunctionLookup.None => NameOfLeaf(functions, names, index, rva, out start),
            _ => null,
        };
        name = found ?? "";
        return found is not null;
    }

    /// <summary>
    /// Without a function table nothing proves that an address is in the function of the export below it. It is taken
    /// for that within a short distance; static functions behind it get its name too.
    /// </summary>
    private bool TryNameNear(uint rva, out string name, out uint start)
    {
        const uint Near = 0x400;
        string? found = null;
        start = 0;
        if (IsCode(rva) && Names?.TryFindNearest(rva, rva < Near ? 0 : rva - Near, out start, out found) != true)
        {
            found = null;
        }

        name = found ?? "";
        return found is not null;
    }

    private static string? NameOfFunction(FunctionTable functions, IFunctionNames names, FunctionEntry entry, uint rva, out uint start)
    {
        if (names.TryFindNearest(rva, entry.Begin, out start, out string? name))
        {
            return name;
        }

        // A part of a function that was moved away (cold code): the function's first entry has the name.
        return functions.TryGetPrimary(entry, out FunctionEntry primary)
            && primary.Begin != entry.Begin
            && names.TryFindNearest(primary.Begin, primary.Begin, out start, out name)
                ? name
                : null;
    }

    private string? NameOfLeaf(FunctionTable functions, IFunctionNames names, int index, uint rva, out uint start)
        => names.TryFindNearest(rva, 0, out start, out string? name)
            && functions.Find(start, out _, out int startIndex) == FunctionLookup.None
            && startIndex == index
            && LeafFunction.Reaches(_memory, Base + start, Base + rva)
                ? name
                : null;
}
