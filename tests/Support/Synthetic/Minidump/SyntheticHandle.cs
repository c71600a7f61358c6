namespace HangTriage.Tests.Support.Synthetic;

/// <summary>One descriptor of the HandleData stream, with the object information that is chained to it.</summary>
public sealed record SyntheticHandle(ulong Handle, string? TypeName)
{
    public string? ObjectName { get; init; }

    public uint Attributes { get; init; }

    public uint GrantedAccess { get; init; } = 0x001F_0003;

    public uint HandleCount { get; init; } = 1;

    public uint PointerCount { get; init; } = 1;

    /// <summary>What MINIDUMP_HANDLE_OBJECT_INFORMATION records say, in the order of the chain.</summary>
    public IReadOnlyList<SyntheticHandleInfo> Information { get; init; } = [];
}
