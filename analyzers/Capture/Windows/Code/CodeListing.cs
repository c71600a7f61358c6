using Iced.Intel;

namespace HangTriage.Capture.Windows.Code;

/// <summary>A function decoded straight from its first byte.</summary>
/// <param name="Steps">Its instructions in the order of their addresses.</param>
/// <param name="IsWhole">False where decoding ended early: bytes are missing, or are no instruction.</param>
internal sealed record CodeListing(IReadOnlyList<CodeStep> Steps, bool IsWhole)
{
    private const int Bitness = 64;

    /// <param name="bytes">The function, as far as its bytes are there.</param>
    /// <param name="start">Where its first byte lies.</param>
    /// <param name="size">How long it is.</param>
    public static CodeListing Decode(byte[] bytes, ulong start, int size)
    {
        ArgumentNullException.ThrowIfNull(bytes);
        Decoder decoder = Decoder.Create(Bitness, bytes, start);
        ulong end = start + (ulong)bytes.Length;
        List<CodeStep> steps = new(bytes.Length / 4);
        while (decoder.IP < end)
        {
            decoder.Decode(out Instruction instruction);
            if (instruction.IsInvalid)
            {
                return new CodeListing(steps, false);
            }

            steps.Add(StepOf(instruction));
        }

        return new CodeListing(steps, bytes.Length == size);
    }

    /// <summary>The instruction that starts there; -1 where none does.</summary>
    public int IndexAt(ulong address)
    {
        int low = 0;
        int high = Steps.Count;
        while (low < high)
        {
            int middle = low + ((high - low) / 2);
            if (Steps[middle].Address < address)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low < Steps.Count && Steps[low].Address == address ? low : -1;
    }

    /// <summary>The call that returns there; -1 where none does.</summary>
    public int IndexOfCallBefore(ulong address)
    {
        int next = IndexAt(address);
        int index = next >= 0 ? next - 1 : Steps.Count - 1;
        return index >= 0 && Steps[index].IsCall && Steps[index].End == address ? index : -1;
    }

    private static CodeStep StepOf(in Instruction instruction)
    {
        FlowControl control = instruction.FlowControl;
        return new CodeStep(
            instruction.IP,
            instruction.NextIP,
            control switch
            {
                FlowControl.UnconditionalBranch => CodeFlow.Jump,
                FlowControl.ConditionalBranch or FlowControl.XbeginXabortXend => CodeFlow.Branch,
                FlowControl.IndirectBranch => CodeFlow.Computed,
                FlowControl.Return or FlowControl.Exception => CodeFlow.Leaves,
                _ => instruction.Code is Iced.Intel.Code.Int3 or Iced.Intel.Code.Hlt ? CodeFlow.Leaves : CodeFlow.Next,
            },
            instruction.NearBranchTarget,
            control is FlowControl.Call or FlowControl.IndirectCall,
            instruction.Code == Iced.Intel.Code.Pause);
    }
}
