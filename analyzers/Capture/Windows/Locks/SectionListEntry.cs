using System.Buffers.Binary;
using HangTriage.Capture.Windows.Images;
using HangTriage.Capture.Windows.Layout;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>
/// Finds a place in the list of critical sections where the loader lock is not in it: its debug record was seen with
/// empty links in Windows 10 and 11. ntdll keeps the debug records of the first sections in its own data. One of them
/// is known by pointers that lead back (record and section name each other, and so do record and both its neighbours) and
/// by a section whose fields make sense.
/// </summary>
internal static class SectionListEntry
{
    private const int MostImages = 2; // a WoW64 process has two
    private const ulong LargestImage = 16UL << 20;
    private const ulong LowestAddress = 0x10000;

    /// <summary>The links of a record in ntdll's data; 0 where there is none, or the data is not there.</summary>
    public static ulong Find(LockContext context)
    {
        foreach (Image image in context.Images.All.Where(IsNtdll).Take(MostImages))
        {
            if (FindIn(context, image) is not 0 and ulong found)
            {
                return found;
            }
        }

        return 0;
    }

    private static bool IsNtdll(Image image) => WindowsModules.IsNtdll(image.Module.Name);

    private static ulong FindIn(LockContext context, Image image)
    {
        byte[] page = new byte[TargetMemory.PageSize];
        ulong end = image.Base + Math.Min(image.Module.Size, LargestImage);
        for (ulong at = image.Base; at < end; at += TargetMemory.PageSize)
        {
            context.Capture.Cancellation.ThrowIfCancellationRequested();
            if (image.IsWritable(image.Rva(at)) && context.Memory.TryRead(at, page) && FindIn(context, at, page) is not 0 and ulong found)
            {
                return found;
            }
        }

        return 0;
    }

    private static ulong FindIn(LockContext context, ulong start, byte[] page)
    {
        int size = context.Layout.PointerSize;
        int recordWords = 4; // up to and with the links
        for (int at = 0; at + (recordWords * size) <= page.Length; at += size)
        {
            ulong record = start + (ulong)at;
            ulong section = Word(page, at + size, size);
            ulong next = Word(page, at + (2 * size), size);
            ulong previous = Word(page, at + (3 * size), size);
            ulong links = record + (ulong)context.Layout.DebugLinks;
            if (IsPointer(section, size) && section != record && IsPointer(next, size) && IsPointer(previous, size) && next != links
                && LeadsTo(context, section, record)
                && LeadsTo(context, unchecked(next + (ulong)size), links)
                && LeadsTo(context, previous, links)
                && SectionFields.TryRead(context.Memory, context.Layout, section, out SectionFields fields)
                && new SectionCheck(context).IsPlausible(fields))
            {
                return links;
            }
        }

        return 0;
    }

    // Most words of the data are numbers: following each would bring pages from all over the dump into memory.
    private static bool IsPointer(ulong value, int size) => value >= LowestAddress && value % (ulong)size == 0;

    private static bool LeadsTo(LockContext context, ulong from, ulong to)
        => context.Memory.TryReadPointer(from, context.Layout.PointerSize, out ulong value) && value == to;

    private static ulong Word(byte[] page, int at, int size)
        => size == sizeof(ulong)
            ? BinaryPrimitives.ReadUInt64LittleEndian(page.AsSpan(at))
            : BinaryPrimitives.ReadUInt32LittleEndian(page.AsSpan(at));
}
