namespace HangTriage.Capture.Managed.Emulation;

/// <summary>Registers and flags, as <see cref="EmulatedStep"/> numbers them, and bytes of memory that decide how code continues.</summary>
internal sealed class Deciding
{
    public ulong Registers { get; set; }

    public HashSet<ulong> Memory { get; } = [];

    public void Add(MemoryAccess access)
    {
        for (int index = 0; index < access.Size; index++)
        {
            Memory.Add(access.Address + (ulong)index);
        }
    }

    /// <summary>Whether some of it was there.</summary>
    public bool Remove(MemoryAccess access)
    {
        bool any = false;
        for (int index = 0; index < access.Size; index++)
        {
            any |= Memory.Remove(access.Address + (ulong)index);
        }

        return any;
    }
}
