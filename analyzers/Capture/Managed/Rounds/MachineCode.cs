using Iced.Intel;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Rounds;

/// <summary>The machine code of a method (x64), and which instruction follows which.</summary>
internal sealed class MachineCode
{
    private const int MostCode = 64 << 10;
    private const int Bitness = 64;
    private const int PrologEnds = 16;

    private readonly Dictionary<ulong, int> _index = [];
    private readonly int[][] _next;
    private readonly List<int>[] _before;

    private MachineCode(IReadOnlyList<Instruction> code)
    {
        Code = code;
        for (int index = 0; index < code.Count; index++)
        {
            _index[code[index].IP] = index;
        }

        _next = [.. Enumerable.Range(0, code.Count).Select(FindNext)];
        _before = [.. Enumerable.Range(0, code.Count).Select(_ => new List<int>())];
        for (int index = 0; index < code.Count; index++)
        {
            foreach (int next in _next[index])
            {
                _before[next].Add(index);
            }
        }

        IsWide = code.Any(instruction
            => Enumerable.Range(0, instruction.OpCount).Any(operand => instruction.GetOpKind(operand) == OpKind.Register
            && (instruction.GetOpRegister(operand).IsYMM() || instruction.GetOpRegister(operand).IsZMM())));
        FramesByRbp = code.Take(PrologEnds).Any(instruction
            => instruction is { Op0Register: Register.RBP, Mnemonic: Mnemonic.Mov, Op1Register: Register.RSP }
            or { Op0Register: Register.RBP, Mnemonic: Mnemonic.Lea, MemoryBase: Register.RSP });
    }

    public IReadOnlyList<Instruction> Code { get; }

    /// <summary>Its variables are found from rbp on.</summary>
    public bool FramesByRbp { get; }

    /// <summary>It uses registers of which half is not read.</summary>
    public bool IsWide { get; }

    /// <summary>Null where the code cannot be read.</summary>
    public static MachineCode? Read(ClrRuntime runtime, ClrMethod method, ulong ip)
    {
        (ulong start, uint size) = method.HotColdInfo is { HotSize: > 0 } code && ip >= code.HotStart && ip - code.HotStart < code.HotSize
            ? (code.HotStart, code.HotSize)
            : CodeBounds.Of(runtime, method, ip);
        if (size is 0 or > MostCode)
        {
            return null;
        }

        byte[] bytes = new byte[size];
        return runtime.DataTarget.DataReader.Read(start, bytes) == bytes.Length ? Decode(bytes, start) : null;
    }

    /// <summary>The same of bytes that start there; null where they are no instructions.</summary>
    public static MachineCode? Decode(byte[] bytes, ulong start)
    {
        Decoder decoder = Decoder.Create(Bitness, bytes, start);
        List<Instruction> code = [];
        while (decoder.IP < start + (ulong)bytes.Length)
        {
            Instruction instruction = decoder.Decode();
            if (instruction.IsInvalid)
            {
                return null;
            }

            code.Add(instruction);
        }

        return new MachineCode(code);
    }

    /// <summary>-1 where none starts there.</summary>
    public int IndexOf(ulong address) => _index.TryGetValue(address, out int index) ? index : -1;

    /// <summary>The instructions that can follow one.</summary>
    public int[] Next(int index) => _next[index];

    public IReadOnlyList<int> Before(int index) => _before[index];

    private int[] FindNext(int index)
    {
        FlowControl flow = Code[index].FlowControl;
        int target = flow is FlowControl.ConditionalBranch or FlowControl.UnconditionalBranch ? IndexOf(Code[index].NearBranchTarget) : -1;
        bool goesOn = index + 1 < Code.Count
            && flow is not (FlowControl.UnconditionalBranch or FlowControl.Return or FlowControl.Exception or FlowControl.IndirectBranch
                or FlowControl.Interrupt);
        return [.. goesOn ? [index + 1] : Array.Empty<int>(), .. target >= 0 ? [target] : Array.Empty<int>()];
    }
}
