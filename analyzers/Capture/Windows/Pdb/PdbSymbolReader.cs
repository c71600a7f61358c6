using System.Buffers.Binary;

namespace HangTriage.Capture.Windows.Pdb;

/// <summary>Goes through the symbol records of a PDB (SYMTYPE of cvinfo.h: 16 bits of length, 16 of kind) and notes its functions.</summary>
internal sealed class PdbSymbolReader
{
    private const ushort Public = 0x110E;
    private const ushort LocalProcedure = 0x110F;
    private const ushort GlobalProcedure = 0x1110;
    private const ushort LocalProcedureById = 0x1146;
    private const ushort GlobalProcedureById = 0x1147;

    private const int HeadSize = 40; // up to the segment of a procedure
    private const int PublicName = 14;
    private const int ProcedureName = 39;
    private const uint ModuleStart = 4; // behind the signature of a module's stream
    private const int RecordsPerSymbol = 8;
    private const int RecordsPerCheck = 65_536;

    private readonly PdbSections _sections;
    private readonly int _limit;
    private readonly CancellationToken _cancellation;
    private long _recordsLeft;

    public PdbSymbolReader(PdbSections sections, int limit, CancellationToken cancellation)
    {
        _sections = sections;
        _limit = limit;
        _cancellation = cancellation;
        _recordsLeft = (long)limit * RecordsPerSymbol;
    }

    public List<uint> Rvas { get; } = [];

    /// <summary>In the order of <see cref="Rvas"/>.</summary>
    public List<PdbSymbol> Symbols { get; } = [];

    /// <summary>There were more than are read.</summary>
    public bool IsCut { get; private set; }

    public void ReadAll(PdbFile pdb)
    {
        if (pdb.Symbols is { } symbols)
        {
            Read(symbols, pdb.SymbolStream, 0, symbols.Length);
        }

        foreach ((ushort number, uint size) in pdb.ModuleStreams())
        {
            if (pdb.Stream(number) is { } module)
            {
                Read(module, number, ModuleStart, Math.Min(size, module.Length));
            }
        }
    }

    private void Read(MsfStream stream, ushort number, ulong start, ulong end)
    {
        Span<byte> head = stackalloc byte[HeadSize];
        ulong at = start;
        while (at + 4 <= end && !IsCut)
        {
            if (_recordsLeft-- <= 0 || Symbols.Count >= _limit)
            {
                IsCut = true;
                return;
            }

            if (_recordsLeft % RecordsPerCheck == 0)
            {
                _cancellation.ThrowIfCancellationRequested();
            }

            int read = stream.Read(at, head);
            uint length = BinaryPrimitives.ReadUInt16LittleEndian(head);
            if (read < 4 || length < 2)
            {
                return;
            }

            ulong next = at + 2 + length;
            at = next <= end ? Note(head[..read], number, at, next, end) : next;
        }
    }

    /// <summary>Notes a function, and says where to go on.</summary>
    private ulong Note(ReadOnlySpan<byte> head, ushort stream, ulong at, ulong next, ulong end)
    {
        switch (BinaryPrimitives.ReadUInt16LittleEndian(head[2..]))
        {
            case Public when next - at > PublicName && head.Length >= PublicName:
                Add(head[8..], head[12..], stream, at + PublicName);
                return next;
            case LocalProcedure or GlobalProcedure or LocalProcedureById or GlobalProcedureById
                when next - at > ProcedureName && head.Length >= ProcedureName:
                Add(head[32..], head[36..], stream, at + ProcedureName);
                uint last = BinaryPrimitives.ReadUInt32LittleEndian(head[8..]); // its S_END: what lies before are its own
                return last > next && last < end ? last : next;
            default:
                return next;
        }
    }

    private void Add(ReadOnlySpan<byte> offset, ReadOnlySpan<byte> section, ushort stream, ulong name)
    {
        if (_sections.TryGetCode(BinaryPrimitives.ReadUInt16LittleEndian(section), BinaryPrimitives.ReadUInt32LittleEndian(offset), out uint rva))
        {
            Rvas.Add(rva);
            Symbols.Add(new PdbSymbol(stream, (uint)name));
        }
    }
}
