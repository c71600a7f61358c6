using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reading;

/// <summary>
/// While it lives, the runtime's own library may be asked for the type of what is only guessed to be an object. Up to .NET 8 that library
/// follows a method table's link to its canonical table without looking whether it is null, which ends the process that asks (a segmentation
/// fault at 0x28 in MethodTable::ValidateWithPossibleAV of libmscordaccore 8.0.31; .NET 9 looks). Such a table cannot be read meanwhile.
/// </summary>
internal sealed class TypeGuesses : IDisposable
{
    // sizeof(MethodTable) and the place of m_pEEClass or m_pCanonMT, 64 bit, of .NET 5 to 8; the low bits of that word say which of the two it is.
    private const int TableSize = 0x40;
    private const int CanonicalTable = 0x28;
    private const ulong Marks = 3;

    private readonly ITypeGuessReader? _reader;
    private readonly bool _before;

    public TypeGuesses(IDataReader reader)
    {
        _reader = reader as ITypeGuessReader;
        _before = _reader?.GuessesTypes ?? false;
        _reader?.GuessesTypes = true;
    }

    public void Dispose() => _reader?.GuessesTypes = _before;

    /// <summary>That this is no method table though the runtime's library may take it for one: its link has a mark, and leads nowhere.</summary>
    /// <param name="read">All that was asked for.</param>
    public static bool IsBrokenTable(ReadOnlySpan<byte> read)
        => read.Length == TableSize && MemoryMarshal.Read<ulong>(read[CanonicalTable..]) is > 0 and <= Marks;
}
