using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Images;

/// <summary>An image in the target's memory, its headers and tables read when they are first asked for.</summary>
internal sealed class Image
{
    private readonly TargetMemory _memory;
    private readonly CaptureLimits _limits;
    private bool _areHeadersRead;
    private PeHeaders? _headers;
    private FunctionTable? _functions;
    private bool _areExportsRead;
    private ExportTable? _exports;

    public Image(ModuleFacts module, TargetMemory memory, CaptureLimits limits)
    {
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

    /// <summary>
    /// Names the function that an address lies in by the image's exports. A name is given only where the function table
    /// proves that the export and the address are parts of one function: the nearest export below a static function
    /// belongs to another one.
    /// </summary>
    /// <param name="rva">From the image's base.</param>
    /// <param name="name">The export.</param>
    /// <param name="start">Where the export lies, from the image's base; it can lie above the address.</param>
    public bool TryName(uint rva, out string name, out uint start)
    {
        name = "";
        start = 0;
        if (Headers is { Is32Bit: true })
        {
            return TryNameNear(rva, out name, out start);
        }

        if (Functions is not { IsEmpty: false } functions || Exports is not { } exports)
        {
            return false;
        }

        string? found = functions.Find(rva, out FunctionEntry entry, out int index) switch
        {
            FunctionLookup.Found => NameOfFunction(functions, exports, entry, rva, out start),
            FunctionLookup.None => NameOfLeaf(functions, exports, index, rva, out start),
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
        if (IsCode(rva) && Exports?.TryFindNearest(rva, rva < Near ? 0 : rva - Near, out start, out found) != true)
        {
            found = null;
        }

        name = found ?? "";
        return found is not null;
    }

    private static string? NameOfFunction(FunctionTable functions, ExportTable exports, FunctionEntry entry, uint rva, out uint start)
    {
        if (exports.TryFindNearest(rva, entry.Begin, out start, out string? name))
        {
            return name;
        }

        // A part of a function that was moved away (cold code): the function's first entry has the name.
        return functions.TryGetPrimary(entry, out FunctionEntry primary)
            && primary.Begin != entry.Begin
            && exports.TryFindNearest(primary.Begin, primary.Begin, out start, out name)
                ? name
                : null;
    }

    private static string? NameOfLeaf(FunctionTable functions, ExportTable exports, int index, uint rva, out uint start)
        => exports.TryFindNearest(rva, 0, out start, out string? name)
            && functions.Find(start, out _, out int startIndex) == FunctionLookup.None
            && startIndex == index
                ? name
                : null;
}
