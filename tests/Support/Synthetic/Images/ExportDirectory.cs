using System.Text;

namespace HangTriage.Tests.Support.Synthetic;

/// <summary>Encodes the export directory of an image, with its strings and forwarders inside it.</summary>
internal static class ExportDirectory
{
    private const int HeaderSize = 40;

    public static byte[] Encode(string imageName, IReadOnlyList<SyntheticExport> exports, uint rva, uint ordinalBase, uint timeDateStamp)
    {
        (string Name, int Index)[] named
            = [.. exports.Select((export, index) => (export.Name, index)).Where(pair => pair.Name is not null).OrderBy(pair => pair.Name, StringComparer.Ordinal)!];
        int functions = HeaderSize;
        int names = functions + (4 * exports.Count);
        int ordinals = names + (4 * named.Length);
        ByteWriter directory = new();
        directory.U32(0).U32(timeDateStamp).U32(0).U32(0).U32(ordinalBase);
        directory.U32((uint)exports.Count).U32((uint)named.Length);
        directory.U32(rva + (uint)functions).U32(rva + (uint)names).U32(rva + (uint)ordinals);
        directory.Zeros((4 * exports.Count) + (4 * named.Length) + (2 * named.Length));
        directory.PatchU32(12, PlaceText(imageName));
        for (int index = 0; index < exports.Count; index++)
        {
            SyntheticExport export = exports[index];
            directory.PatchU32(functions + (4 * index), export.Forwarder is null ? export.Rva : PlaceText(export.Forwarder));
        }

        for (int index = 0; index < named.Length; index++)
        {
            directory.PatchU32(names + (4 * index), PlaceText(named[index].Name));
            directory.Patch(ordinals + (2 * index), BitConverter.GetBytes((ushort)named[index].Index));
        }

        return directory.ToArray();

        uint PlaceText(string text)
        {
            uint at = rva + (uint)directory.Length;
            directory.Bytes(Encoding.ASCII.GetBytes(text)).U8(0);
            return at;
        }
    }
}
