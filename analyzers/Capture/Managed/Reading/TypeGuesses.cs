using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reading;

/// <summary>
/// While it lives, the runtime's own library may be asked for the type of what is only guessed to be an object. Up to .NET 8 that
/// library follows a method table's links, to its canonical table and from its class back to a table, without looking whether they are
/// null, which ends the process that asks (a segmentation fault at 0x28 in MethodTable::ValidateWithPossibleAV of libmscordaccore
/// 8.0.31; .NET 9 looks). Such a table cannot be read meanwhile. Not always: other parts of the runtime look alike.
/// </summary>
/// <remarks>dotnet/runtime, 8.0: methodtable.h and .inl (the flags, GetClassWithPossibleAV), class.h (EEClass), 64 bit.</remarks>
internal sealed class TypeGuesses : IDisposable
{
    private const int TableSize = 0x40;

    // m_pEEClass or m_pCanonMT, by the lowest bits.
    private const int Link = 0x28;
    private const ulong Marks = 3;

    // m_pMethodTable of EEClass.
    private const int TableOfClass = 0x10;

    // Of what has a component size the same bits of the flags say something else.
    private const uint HasComponents = 0x8000_0000;
    private const uint IsGeneric = 0x30;
    private const uint Kind = 0x000C_0000;
    private const uint IsArray = 0x0008_0000;

    private readonly ITypeGuessReader? _reader;
    private readonly bool _before;

    public TypeGuesses(IDataReader reader)
    {
        _reader = reader as ITypeGuessReader;
        _before = _reader?.GuessesTypes ?? false;
        _reader?.GuessesTypes = true;
    }

    public void Dispose() => _reader?.GuessesTypes = _before;

    /// <summary>
    /// That this is no method table though the runtime's library may take it for one: a link that it follows leads nowhere.
    /// </summary>
    /// <param name="read">All that was asked for.</param>
    /// <param name="reader">Reads the rest.</param>
    public static bool IsBrokenTable(ReadOnlySpan<byte> read, IDataReader reader)
    {
        if (read.Length != TableSize)
        {
            return false;
        }

        ulong link = MemoryMarshal.Read<ulong>(read[Link..]);
        ulong found = link & ~Marks;
        if (found == 0)
        {
            return link != 0;
        }

        // What cannot be read the library knows for itself.
        return HasOthersClass(MemoryMarshal.Read<uint>(read))
            && ((link & Marks) == 0 || reader.Read(found + Link, out found))
            && reader.Read(found + TableOfClass, out ulong table)
            && table == 0;
    }

    // Its class may have another one as its table, and that one's class is asked for.
    private static bool HasOthersClass(uint flags)
        => (flags & Kind) == IsArray || ((flags & HasComponents) == 0 && (flags & IsGeneric) != 0);
}
