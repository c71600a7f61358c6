namespace HangTriage.Tests.Support.Synthetic;

/// <summary>
/// The circular list that goes through the debug records of all listed critical sections and through its head in ntdll.
/// Add the sections, then <see cref="Write"/>.
/// </summary>
public sealed class SyntheticLockList(SyntheticMemory memory, ulong head)
{
    public const int DebugSize = 0x30;
    private const int LinksOffset = 0x10;

    private readonly List<(SyntheticMemory Memory, ulong Links)> _nodes = [(memory, head)];

    /// <summary>Writes the debug record of a section; the section itself has to point to it.</summary>
    public SyntheticLockList Add(SyntheticMemory memory, ulong debug, ulong section, uint entries = 0, uint contentions = 0)
    {
        int at = memory.OffsetOf(debug);
        memory.U16(at, 0).U64(at + 0x08, section).U32(at + 0x20, entries).U32(at + 0x24, contentions);
        _nodes.Add((memory, debug + LinksOffset));
        return this;
    }

    public void Write()
    {
        for (int index = 0; index < _nodes.Count; index++)
        {
            (SyntheticMemory memory, ulong links) = _nodes[index];
            int at = memory.OffsetOf(links);
            memory.U64(at, _nodes[(index + 1) % _nodes.Count].Links);
            memory.U64(at + 8, _nodes[(index + _nodes.Count - 1) % _nodes.Count].Links);
        }
    }
}
