using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;

namespace HangTriage.Capture.Windows.Images;

/// <summary>
/// The exported functions of an image, sorted by address (IMAGE_EXPORT_DIRECTORY of winnt.h). Exports without a name
/// are kept: a function starts there. Forwarders and exported data are not.
/// </summary>
internal sealed class ExportTable : IFunctionNames
{
    private const int DirectorySize = 40;
    private const int MaxAliases = 32;
    private const uint NoName = 0;

    private readonly TargetMemory _memory;
    private readonly ulong _imageBase;
    private readonly int _nameLimit;
    private readonly uint[] _rvas;
    private readonly uint[] _names;
    private readonly Dictionary<uint, string?> _nameByRva = [];

    private ExportTable(TargetMemory memory, ulong imageBase, int nameLimit, uint[] rvas, uint[] names)
    {
        _memory = memory;
        _imageBase = imageBase;
        _nameLimit = nameLimit;
        _rvas = rvas;
        _names = names;
    }

    /// <summary>Null where the table is not in the target's memory.</summary>
    public static ExportTable? Read(TargetMemory memory, ulong imageBase, PeHeaders headers, CaptureLimits limits)
    {
        Span<byte> directory = stackalloc byte[DirectorySize];
        if (headers.Exports.Size < DirectorySize)
        {
            return new ExportTable(memory, imageBase, limits.NameLength, [], []);
        }

        if (!memory.TryRead(imageBase + headers.Exports.Rva, directory))
        {
            return null;
        }

        int functionCount = (int)Math.Min(BinaryPrimitives.ReadUInt32LittleEndian(directory[20..]), (uint)limits.ExportsPerModule);
        int nameCount = (int)Math.Min(BinaryPrimitives.ReadUInt32LittleEndian(directory[24..]), (uint)limits.ExportsPerModule);
        if (!TryReadArray(memory, imageBase, directory[28..], functionCount, out uint[] functions)
            || !TryReadArray(memory, imageBase, directory[32..], nameCount, out uint[] names)
            || !TryReadArray(memory, imageBase, directory[36..], nameCount, out ushort[] ordinals))
        {
            return null;
        }

        (uint[] rvas, uint[] nameRvas) = Sorted(functions, names, ordinals, rva => !headers.Exports.Contains(rva) && headers.IsCode(rva));
        return new ExportTable(memory, imageBase, limits.NameLength, rvas, nameRvas);
    }

    /// <summary>The functions by address, each with where its name lies.</summary>
    private static (uint[] Rvas, uint[] Names) Sorted(uint[] functions, uint[] names, ushort[] ordinals, Func<uint, bool> isCode)
    {
        List<uint> rvas = new(functions.Length);
        List<uint> nameRvas = new(functions.Length);
        bool[] isNamed = new bool[functions.Length];
        for (int i = 0; i < names.Length; i++)
        {
            if (ordinals[i] < functions.Length)
            {
                isNamed[ordinals[i]] = true;
                Add(functions[ordinals[i]], names[i]);
            }
        }

        for (int i = 0; i < functions.Length; i++)
        {
            if (!isNamed[i])
            {
                Add(functions[i], NoName);
            }
        }

        uint[] sorted = [.. rvas];
        uint[] sortedNames = [.. nameRvas];
        Array.Sort(sorted, sortedNames);
        return (sorted, sortedNames);

        void Add(uint rva, uint name)
        {
            if (isCode(rva))
            {
                rvas.Add(rva);
                nameRvas.Add(name);
            }
        }
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

    /// <param name="name">Its bytes, without the NUL behind them; at most 64.</param>
    public bool Contains(ReadOnlySpan<byte> name)
    {
        Span<byte> buffer = stackalloc byte[65];
        Span<byte> candidate = buffer[..(name.Length + 1)];
        foreach (uint rva in _names)
        {
            if (rva != NoName && _memory.TryRead(_imageBase + rva, candidate) && candidate[^1] == 0 && candidate[..^1].SequenceEqual(name))
            {
                return true;
            }
        }

        return false;
    }

    private string? NameAt(int index)
    {
        uint rva = _rvas[index];
        if (_nameByRva.TryGetValue(rva, out string? cached))
        {
            return cached;
        }

        int first = index;
        while (first > 0 && _rvas[first - 1] == rva)
        {
            first--;
        }

        string? best = null;
        for (int i = first; i < _rvas.Length && i < first + MaxAliases && _rvas[i] == rva; i++)
        {
            string? name = _names[i] == NoName ? null : ReadName(_names[i]);
            if (name is not null && (best is null || FunctionAlias.IsBetter(name, best)))
            {
                best = name;
            }
        }

        _nameByRva[rva] = best;
        return best;
    }

    private string? ReadName(uint rva)
    {
        const int Chunk = 64;
        Span<byte> bytes = stackalloc byte[Chunk];
        StringBuilder name = new();
        while (name.Length < _nameLimit)
        {
            Span<byte> chunk = bytes[..Math.Min(Chunk, _nameLimit - name.Length)];
            int read = _memory.Read(unchecked(_imageBase + rva + (ulong)name.Length), chunk);
            int end = chunk[..read].IndexOf((byte)0);
            name.Append(Encoding.Latin1.GetString(chunk[..(end < 0 ? read : end)]));
            if (end >= 0)
            {
                break;
            }

            if (read < chunk.Length)
            {
                return null; // the name continues where memory is missing
            }
        }

        return name.Length == 0 ? null : SafeText.Clean(name.ToString());
    }

    private static bool TryReadArray<T>(TargetMemory memory, ulong imageBase, ReadOnlySpan<byte> rva, int count, out T[] items)
        where T : unmanaged
    {
        items = new T[count];
        return memory.TryRead(imageBase + BinaryPrimitives.ReadUInt32LittleEndian(rva), MemoryMarshal.AsBytes(items.AsSpan()));
    }
}
