namespace HangTriage.Tests.Support.Synthetic.Elf;

/// <summary>A range of a process's memory as a core lists it.</summary>
/// <param name="Address">Its first byte.</param>
/// <param name="Contents">What the core holds of it, from its start on.</param>
/// <param name="Size">Its size in memory, in bytes.</param>
public sealed record SyntheticCoreMemory(ulong Address, byte[] Contents, int Size);
