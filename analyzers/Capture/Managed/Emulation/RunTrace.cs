namespace HangTriage.Capture.Managed.Emulation;

/// <summary>The instructions that were run since a place, with the memory that each has read and written.</summary>
internal sealed class RunTrace
{
    private const int MostPasses = 16;

    private readonly List<(EmulatedStep Step, int FirstAccess)> _steps = [];
    private readonly List<MemoryAccess> _accesses = [];

    public int Count => _steps.Count;

    /// <summary>Some of it works with registers that are known by half.</summary>
    public bool IsWide { get; private set; }

    /// <summary>The outermost place of the stack that its instructions had.</summary>
    public ulong OutermostStack { get; private set; }

    public void Clear()
    {
        _steps.Clear();
        _accesses.Clear();
        IsWide = false;
        OutermostStack = 0;
    }

    public void Add(EmulatedStep step, IReadOnlyList<MemoryAccess> accesses, ulong stack)
    {
        _steps.Add((step, _accesses.Count));
        _accesses.AddRange(accesses);
        IsWide |= step.IsWide;
        OutermostStack = Math.Max(OutermostStack, stack);
    }

    /// <summary>
    /// The registers, flags and bytes of memory at its start that decide which instructions run and what they write where: all others only
    /// take note of it, as a count or a sum.
    /// </summary>
    /// <param name="again">It is to be run again and again: what the next time is decided by counts, too.</param>
    /// <returns>Null where that could not be told.</returns>
    public Deciding? DecidedBy(bool again)
    {
        Deciding deciding = new();
        for (int pass = 0; pass < MostPasses; pass++)
        {
            ulong registers = deciding.Registers;
            int bytes = deciding.Memory.Count;
            Deciding before = new() { Registers = registers };
            before.Memory.UnionWith(deciding.Memory);
            GoBack(before);
            deciding.Registers |= before.Registers;
            deciding.Memory.UnionWith(before.Memory);
            if (!again || (deciding.Registers == registers && deciding.Memory.Count == bytes))
            {
                return deciding;
            }
        }

        return null;
    }

    private void GoBack(Deciding deciding)
    {
        int end = _accesses.Count;
        for (int index = _steps.Count - 1; index >= 0; index--)
        {
            (EmulatedStep step, int first) = _steps[index];
            bool matters = step.Decides || (step.Writes & deciding.Registers) != 0;
            bool stores = false;
            for (int at = first; at < end; at++)
            {
                if (_accesses[at].IsWrite)
                {
                    stores = true;
                    matters |= deciding.Remove(_accesses[at]);
                }
            }

            deciding.Registers &= ~step.Replaces;
            deciding.Registers |= matters ? step.Reads : stores ? step.Addresses : 0;
            for (int at = first; matters && at < end; at++)
            {
                if (!_accesses[at].IsWrite)
                {
                    deciding.Add(_accesses[at]);
                }
            }

            end = first;
        }
    }
}
