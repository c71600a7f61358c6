using HangTriage.Capture.Managed.Reading;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Sources;

/// <summary>
/// Which instructions of a method's IL those of its compiled code were made of, as the runtime keeps it behind the code. The runtime's own
/// answer (<see cref="ClrMethod.ILOffsetMap"/>) is of the code that was made first: of a method that was compiled again since it is called
/// often, this is the only map of what runs.
/// </summary>
/// <remarks>
/// Layouts: RealCodeHeader (src/coreclr/vm/codeman.h), debuginfostore.cpp of .NET 8 and 9, and the contract DebugInfo version 1
/// (docs/design/datacontracts) of .NET 10. Which of the two it is, its length says: a core of Linux has no version of the runtime. Tried
/// against the runtime's own answer for methods that were compiled once.
/// </remarks>
internal sealed class NativeMap
{
    // The flags in front: an on-stack replacement's table, which is there for code that is not optimised, or more than is read here.
    private const byte Plain = 0;

    private const int MostBytes = 0x10000;
    private const int MostHeader = 24;
    private const ulong OwnerAt = 3;

    // How far an instruction is from the beginning of its code, at most.
    private const int MostCode = 0x8000;
    private const uint InstrumentedBounds = uint.MaxValue;
    private const int SourceBits = 2;
    private const int MostBits = 32;

    // PROLOG, EPILOG and "no mapping" are -2, -3 and -1: offsets are stored from the lowest on.
    private const int LowestOffset = -3;

    private readonly IDataReader _reader;
    private readonly ulong _code;

    private NativeMap(IDataReader reader, ulong code)
    {
        _reader = reader;
        _code = code;
    }

    /// <param name="method">A method, with the code that is called now.</param>
    /// <returns>Each place in the code with the offset in the IL, negative for none; empty where the layout is not known.</returns>
    public static IReadOnlyList<(ulong Place, int IlOffset)> Of(ClrMethod method)
        => ReaderOf(method) is { } reader ? new NativeMap(reader, method.HotColdInfo.HotStart).Read(method.MethodDesc) : [];

    /// <summary>The same of any code of the method: of the one that an instruction belongs to.</summary>
    public static IReadOnlyList<(ulong Place, int IlOffset)> Of(ClrMethod method, ulong ip)
        => ReaderOf(method) is { } reader && StartOf(reader, method.MethodDesc, ip) is { } code
            ? new NativeMap(reader, code).Read(method.MethodDesc)
            : [];

    private static IDataReader? ReaderOf(ClrMethod method)
        => method is { CompilationType: MethodCompilationType.Jit, Type.Module.AppDomain.Runtime: { ClrInfo.Flavor: ClrFlavor.Core } runtime }
            ? runtime.DataTarget.DataReader
            : null;

    // A method that goes round a loop for long is compiled again under way, and nothing but the code itself says where that begins: behind
    // the pointer to what the runtime keeps, which names the method.
    private static ulong? StartOf(IDataReader reader, ulong method, ulong ip)
    {
        using OptionalReads guesses = new(reader);
        ulong word = (ulong)reader.PointerSize;
        for (ulong code = ip - (ip % word); ip - code < MostCode; code -= word)
        {
            if (reader.ReadPointer(code - word, out ulong header) && header != 0 && header % word == 0
                && reader.ReadPointer(header + (OwnerAt * word), out ulong owner) && owner == method)
            {
                return code;
            }
        }

        return null;
    }

    // The pointer before the code leads to: debug info, exceptions, what the collector needs, the method.
    private List<(ulong Place, int IlOffset)> Read(ulong method)
    {
        ulong word = (ulong)_reader.PointerSize;
        if (!_reader.ReadPointer(_code - word, out ulong header) || header == 0
            || !_reader.ReadPointer(header + (OwnerAt * word), out ulong owner) || owner != method
            || !_reader.ReadPointer(header, out ulong info) || info == 0
            || !_reader.Read(info, out byte flags) || flags != Plain)
        {
            return [];
        }

        Nibbles sizes = new(Bytes(info + 1, MostHeader));
        uint size = sizes.Next();
        if (size == InstrumentedBounds)
        {
            size = sizes.Next();
            sizes.Next();
        }

        sizes.Next();
        return size is 0 or > MostBytes ? [] : Entries(Bytes(info + 1 + (ulong)sizes.Used, (int)size));
    }

    private List<(ulong Place, int IlOffset)> Entries(byte[] bytes) => Packed(bytes) ?? Plainly(bytes) ?? [];

    // .NET 8 and 9: numbers of nibbles throughout.
    private List<(ulong Place, int IlOffset)>? Plainly(byte[] bytes)
    {
        Nibbles nibbles = new(bytes);
        uint count = nibbles.Next();
        List<(ulong Place, int IlOffset)> entries = [];
        ulong place = _code;
        for (uint i = 0; i < count && !nibbles.IsAtEnd; i++)
        {
            place += nibbles.Next();
            entries.Add((place, (int)nibbles.Next() + LowestOffset));
            nibbles.Next();
        }

        return entries.Count == count && nibbles.Used == bytes.Length ? entries : null;
    }

    // .NET 10: as many bits for each entry.
    private List<(ulong Place, int IlOffset)>? Packed(byte[] bytes)
    {
        Nibbles nibbles = new(bytes);
        uint count = nibbles.Next();
        int ofPlace = (int)nibbles.Next() + 1;
        int ofOffset = (int)nibbles.Next() + 1;
        if (ofPlace is < 1 or > MostBits || ofOffset is < 1 or > MostBits
            || nibbles.Used + (((count * (long)(SourceBits + ofPlace + ofOffset)) + 7) / 8) != bytes.Length)
        {
            return null;
        }

        List<(ulong Place, int IlOffset)> entries = [];
        Bits bits = new(bytes, nibbles.Used);
        ulong place = _code;
        for (uint i = 0; i < count; i++)
        {
            bits.Next(SourceBits);
            place += bits.Next(ofPlace);
            entries.Add((place, (int)bits.Next(ofOffset) + LowestOffset));
        }

        return entries;
    }

    private byte[] Bytes(ulong address, int most)
    {
        byte[] bytes = new byte[most];
        return bytes[.._reader.Read(address, bytes)];
    }

    /// <summary>Numbers of three bits a nibble, the high ones first; a nibble's fourth bit says that another one follows.</summary>
    private sealed class Nibbles(byte[] bytes)
    {
        private const int MostOfNumber = 11;

        private int _next;

        public bool IsAtEnd => _next >= bytes.Length * 2;

        /// <summary>The bytes that have been begun.</summary>
        public int Used => (_next + 1) / 2;

        public uint Next()
        {
            uint number = 0;
            for (int i = 0; i < MostOfNumber && !IsAtEnd; i++)
            {
                int nibble = (bytes[_next / 2] >> (_next % 2 * 4)) & 0xf;
                _next++;
                number = (number << 3) | (uint)(nibble & 7);
                if (nibble < 8)
                {
                    break;
                }
            }

            return number;
        }
    }

    /// <summary>Numbers of so many bits each, the lowest bit first.</summary>
    private sealed class Bits(byte[] bytes, int start)
    {
        private int _next = start * 8;

        public uint Next(int count)
        {
            uint number = 0;
            for (int i = 0; i < count; i++, _next++)
            {
                number |= (uint)((bytes[_next / 8] >> (_next % 8)) & 1) << i;
            }

            return number;
        }
    }
}
