using System.Buffers.Binary;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Reads the protected blocks of a method and their handlers (ECMA-335, II.25.4.5 and II.25.4.6).</summary>
internal static class IlHandlers
{
    private const int HeaderSize = 4;
    private const int SmallClause = 12;
    private const int FatClause = 24;
    private const byte Table = 0x1;
    private const byte Fat = 0x40;
    private const int Finally = 0x2;
    private const int Fault = 0x4;

    /// <param name="section">What lies behind the instructions, from the next multiple of four on; may be cut.</param>
    /// <returns>In the order in which they are written. The first section alone: compilers write no other.</returns>
    public static IReadOnlyList<IlClause> Read(ReadOnlySpan<byte> section)
    {
        List<IlClause> handlers = [];
        if (section.Length < HeaderSize || (section[0] & Table) == 0)
        {
            return handlers;
        }

        bool isFat = (section[0] & Fat) != 0;
        int size = isFat ? BinaryPrimitives.ReadInt32LittleEndian(section) >> 8 : section[1];
        int clauseSize = isFat ? FatClause : SmallClause;
        ReadOnlySpan<byte> clauses = section[HeaderSize..Math.Clamp(size, HeaderSize, section.Length)];
        for (; clauses.Length >= clauseSize; clauses = clauses[clauseSize..])
        {
            int flags = isFat ? BinaryPrimitives.ReadInt32LittleEndian(clauses) : BinaryPrimitives.ReadUInt16LittleEndian(clauses);
            int tried = isFat ? BinaryPrimitives.ReadInt32LittleEndian(clauses[4..]) : BinaryPrimitives.ReadUInt16LittleEndian(clauses[2..]);
            int triedLength = isFat ? BinaryPrimitives.ReadInt32LittleEndian(clauses[8..]) : clauses[4];
            int start = isFat ? BinaryPrimitives.ReadInt32LittleEndian(clauses[12..]) : BinaryPrimitives.ReadUInt16LittleEndian(clauses[5..]);
            int length = isFat ? BinaryPrimitives.ReadInt32LittleEndian(clauses[16..]) : clauses[7];
            handlers.Add(new IlClause(tried, unchecked(tried + triedLength), start, unchecked(start + length))
            {
                IsFinally = (flags & Finally) != 0,
                Catches = (flags & (Finally | Fault)) == 0,
            });
        }

        return handlers;
    }
}
