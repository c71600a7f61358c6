namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The HandleData stream, with MINIDUMP_HANDLE_DESCRIPTOR_2 entries.</summary>
internal static class HandleStream
{
    public static StreamBody HandleData(MinidumpFile file, IReadOnlyList<SyntheticHandle> handles)
    {
        (uint Type, uint Name, uint Information)[] placed
            = [.. handles.Select(handle => (PlaceName(file, handle.TypeName), PlaceName(file, handle.ObjectName), PlaceInformation(file, handle)))];
        StreamBody body = new() { CountOffset = 8 };
        body.Bytes.U32(16).U32(40).U32((uint)handles.Count).U32(0);
        for (int index = 0; index < handles.Count; index++)
        {
            SyntheticHandle handle = handles[index];
            body.Bytes.U64(handle.Handle).U32(placed[index].Type).U32(placed[index].Name);
            body.Bytes.U32(handle.Attributes).U32(handle.GrantedAccess).U32(handle.HandleCount).U32(handle.PointerCount);
            body.Bytes.U32(placed[index].Information).U32(0);
        }

        return body;
    }

    private static uint PlaceName(MinidumpFile file, string? name) => name is null ? 0 : file.PlaceString(name);

    // The chain is linked forwards, so the last record is placed first.
    private static uint PlaceInformation(MinidumpFile file, SyntheticHandle handle)
    {
        uint next = 0;
        foreach (SyntheticHandleInfo information in handle.Information.Reverse())
        {
            ByteWriter record = new();
            record.U32(next).U32(information.Type).U32((uint)information.Data.Length).Bytes(information.Data);
            next = file.Place(record.ToArray());
        }

        return next;
    }
}
