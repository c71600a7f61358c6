namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The ModuleList stream.</summary>
internal static class ModuleStream
{
    private const uint FixedFileInfoSignature = 0xFEEF_04BD;
    private const int FixedFileInfoSize = 52;

    public static StreamBody ModuleList(MinidumpFile file, IReadOnlyList<SyntheticModule> modules)
    {
        uint[] names = [.. modules.Select(module => file.PlaceString(module.Path))];
        uint[] codeViews = [.. modules.Select(module => module.CodeView.Length == 0 ? 0 : file.Place(module.CodeView))];
        StreamBody body = new() { CountOffset = 0 };
        body.Bytes.U32((uint)modules.Count);
        for (int index = 0; index < modules.Count; index++)
        {
            SyntheticModule module = modules[index];
            body.Bytes.U64(module.Base).U32(module.Size).U32(module.CheckSum).U32(module.TimeDateStamp).U32(names[index]);
            WriteVersion(body.Bytes, module.FileVersion);
            body.Bytes.U32((uint)module.CodeView.Length).U32(codeViews[index]);
            body.Bytes.Zeros(24);
        }

        return body;
    }

    private static void WriteVersion(ByteWriter bytes, Version? version)
    {
        if (version is null)
        {
            bytes.Zeros(FixedFileInfoSize);
            return;
        }

        uint high = ((uint)version.Major << 16) | (uint)version.Minor;
        uint low = ((uint)version.Build << 16) | (uint)version.Revision;
        bytes.U32(FixedFileInfoSignature).U32(0x0001_0000).U32(high).U32(low).U32(high).U32(low);
        bytes.U32(0x3F).U32(0).U32(0x0004_0004).U32(2).U32(0).U64(0);
    }
}
