namespace HangTriage.Tests.Support.Synthetic;

/// <summary>A section of an image: its name, place, contents and IMAGE_SCN_* characteristics.</summary>
internal sealed record ImageSection(string Name, uint Rva, byte[] Bytes, uint Characteristics)
{
    public const uint Code = 0x6000_0020;
    public const uint WritableData = 0xC000_0040;
    public const uint ReadOnlyData = 0x4000_0040;

    public uint End => Rva + Math.Max(1u, (uint)Bytes.Length);
}
