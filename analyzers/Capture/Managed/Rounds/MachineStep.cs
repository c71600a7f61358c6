using Iced.Intel;

namespace HangTriage.Capture.Managed.Rounds;

/// <summary>What an instruction reads and writes of a frame's variables.</summary>
internal sealed class MachineStep
{
    private MachineStep()
    {
    }

    public HashSet<long> Reads { get; } = [];

    public HashSet<long> Writes { get; } = [];

    /// <summary>It writes whole registers and words, and whether it does hangs on nothing: what was there before is gone.</summary>
    public bool IsSure { get; private init; } = true;

    public bool IsCall { get; private init; }

    /// <summary>It writes memory that is not the frame's, as a field of an object.</summary>
    public bool StoresElsewhere { get; private set; }

    /// <summary>The place of the stack whose address it takes; null for others.</summary>
    public ulong? Takes { get; private set; }

    /// <summary>It reads or writes the frame's words by a number that is not known.</summary>
    public bool IsIndexed { get; private set; }

    public static MachineStep Of(in Instruction instruction, InstructionInfoFactory factory, MachineFrame frame)
    {
        bool isCall = instruction.FlowControl is FlowControl.Call or FlowControl.IndirectCall;
        InstructionInfo info = factory.GetInfo(instruction);
        MachineStep step = new()
        {
            IsCall = isCall,
            IsSure = !info.GetUsedRegisters().Any(used => used.Access is OpAccess.CondWrite or OpAccess.ReadCondWrite),
        };
        foreach (UsedRegister used in info.GetUsedRegisters())
        {
            if (MachineFrame.Of(used.Register) is { } place && !(frame.IsOwn(used.Register.GetFullRegister())))
            {
                step.Add(place, used.Access, used.Register.GetSize() < MachineFrame.Word);
            }
        }

        foreach (UsedMemory used in info.GetUsedMemory())
        {
            step.Add(used, frame);
        }

        if (instruction.Mnemonic == Mnemonic.Lea && frame.IsOwn(instruction.MemoryBase))
        {
            step.IsIndexed |= instruction.MemoryIndex != Register.None;
            step.Takes = frame.Place(instruction.MemoryBase, instruction.MemoryDisplacement64);
        }

        if (instruction.RflagsRead != RflagsBits.None)
        {
            step.Reads.Add(MachineFrame.Flags);
        }

        if (instruction.RflagsModified != RflagsBits.None)
        {
            step.Writes.Add(MachineFrame.Flags);
        }

        if (isCall)
        {
            step.Writes.UnionWith(frame.Lost);
        }

        return step;
    }

    private void Add(long place, OpAccess access, bool isPart)
    {
        if (access is OpAccess.Read or OpAccess.CondRead or OpAccess.ReadWrite or OpAccess.ReadCondWrite
            || (isPart && access is OpAccess.Write or OpAccess.CondWrite))
        {
            Reads.Add(place);
        }

        if (access is OpAccess.Write or OpAccess.CondWrite or OpAccess.ReadWrite or OpAccess.ReadCondWrite)
        {
            Writes.Add(place);
        }
    }

    private void Add(UsedMemory used, MachineFrame frame)
    {
        bool writes = used.Access is OpAccess.Write or OpAccess.CondWrite or OpAccess.ReadWrite or OpAccess.ReadCondWrite;
        if (!frame.IsOwn(used.Base))
        {
            StoresElsewhere |= writes;
            return;
        }

        IsIndexed |= used.Index != Register.None && used.Access != OpAccess.NoMemAccess;
        int size = used.MemorySize.GetSize();
        foreach (long word in used.Access == OpAccess.NoMemAccess ? []
            : MachineFrame.Words(frame.Place(used.Base, used.Displacement), size))
        {
            Add(word, used.Access, size < MachineFrame.Word);
        }
    }
}
