namespace HangTriage.Tests.Support.Synthetic;

/// <summary>One entry of the export directory.</summary>
/// <param name="Name">Null for one that is exported by ordinal alone.</param>
/// <param name="Rva">What it exports; without meaning for a forwarder.</param>
/// <param name="Forwarder">Such as "NTDLL.RtlAllocateHeap"; null for one that is not forwarded.</param>
public sealed record SyntheticExport(string? Name, uint Rva, string? Forwarder = null);
