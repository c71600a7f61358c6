namespace HangTriage.Capture.Managed.Emulation;

/// <summary>Memory that an instruction has read or written: an address and a number of bytes.</summary>
internal readonly record struct MemoryAccess(ulong Address, int Size, bool IsWrite);
