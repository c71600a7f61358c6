using System.Buffers.Binary;
using System.Runtime.Intrinsics;
using Iced.Intel;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>
/// Runs a thread's code on from where it was caught, in a copy of its memory, until it is in a state that it has been in before. Other
/// threads do nothing meanwhile: whether they could change its course is for the caller to say.
/// </summary>
internal sealed class Run
{
    private const int Bitness = 64;
    private const int LongestInstruction = 15;
    private const int FirstSnapshot = 256;
    private const int SnapshotsGrowBy = 4;
    private const int MostChecks = 24;

    private readonly EmulatedMemory _memory;
    private readonly Cpu _cpu;
    private readonly InstructionInfoFactory _factory = new();
    private readonly Dictionary<ulong, EmulatedStep?> _steps = [];
    private readonly CancellationToken _cancellation;
    private CpuSnapshot _snapshot;
    private Deciding? _firstRound;
    private int _checks;

    /// <param name="memory">The target's memory.</param>
    /// <param name="context">The thread's registers, all of them (<see cref="ContextX64.Whole"/>).</param>
    /// <param name="cancellation">Ends the run.</param>
    public Run(IMemoryReader memory, ReadOnlySpan<byte> context, CancellationToken cancellation)
    {
        _cancellation = cancellation;
        _memory = new EmulatedMemory(memory);
        _cpu = new Cpu(_memory) { Rip = BinaryPrimitives.ReadUInt64LittleEndian(context[ContextX64.Rip..]) };
        for (int number = 0; number < ContextX64.GeneralCount; number++)
        {
            _cpu.General[number] = BinaryPrimitives.ReadUInt64LittleEndian(context[(ContextX64.General + (number * sizeof(ulong)))..]);
        }

        for (int number = 0; number < ContextX64.FloatCount; number++)
        {
            Vector128<byte> value = Vector128.Create<byte>(
                context.Slice(ContextX64.FirstFloat + (number * ContextX64.FloatBytes), ContextX64.FloatBytes));
            _cpu.Vectors[number] = Vector256.Create(value, Vector128<byte>.Zero);
        }

        _cpu.Flags.Bits = BinaryPrimitives.ReadUInt32LittleEndian(context[ContextX64.Flags..]);
        _snapshot = new CpuSnapshot(_cpu, _memory);
        _cpu.BeforeStore = (address, size) => _snapshot.Keep(address, size);
    }

    /// <summary>What starts at that address does nothing but let time pass, and counts as one that returns at once.</summary>
    public Func<ulong, bool> Pauses { get; init; } = _ => false;

    /// <summary>The addresses that were run.</summary>
    public IEnumerable<ulong> Executed => _steps.Keys;

    /// <summary>How often the place was come to, the last time included.</summary>
    public int Visits { get; private set; }

    /// <summary>The instructions from one state to the same state again.</summary>
    public RunTrace Trace { get; } = new();

    /// <summary>
    /// What decides that it continues in the same way; null where it does not come back within so many instructions, or does what is not
    /// known here.
    /// </summary>
    public Deciding? FindRepeat(int most)
    {
        int next = FirstSnapshot;
        for (int count = 1; count <= most; count++)
        {
            _cancellation.ThrowIfCancellationRequested();
            if (StepAt(_cpu.Rip) is not { } step)
            {
                return null;
            }

            ulong stack = _cpu.StackPointer;
            if (!_cpu.Run(step.Instruction))
            {
                return null;
            }

            Trace.Add(step, _cpu.Accesses, stack);
            if (_cpu.Rip == _snapshot.Rip && _cpu.StackPointer == _snapshot.StackPointer && Check() is { } repeat)
            {
                return repeat;
            }

            if (count == next)
            {
                next *= SnapshotsGrowBy;
                Restart();
            }
        }

        return null;
    }

    private void Restart()
    {
        _snapshot = new CpuSnapshot(_cpu, _memory);
        Trace.Clear();
        _firstRound = null;
        Visits = 0;
        _checks = 0;
    }

    // What decides about the first round has to be the same, whatever else has: that is cheap to ask each time.
    private Deciding? Check()
    {
        Visits++;
        _firstRound ??= Trace.DecidedBy(again: false);
        return _firstRound is { } first && _snapshot.IsAgain(_cpu, first) && _checks++ < MostChecks
            && Trace.DecidedBy(again: true) is { } deciding && !HasHalves(deciding) && _snapshot.IsAgain(_cpu, deciding) ? deciding : null;
    }

    private bool HasHalves(Deciding deciding) => Trace.IsWide && (deciding.Registers >> EmulatedStep.FirstVector & ushort.MaxValue) != 0;

    private EmulatedStep? StepAt(ulong address)
    {
        if (!_steps.TryGetValue(address, out EmulatedStep? step))
        {
            _steps[address] = step = Decode(address);
        }

        return step;
    }

    private EmulatedStep? Decode(ulong address)
    {
        if (Pauses(address))
        {
            return EmulatedStep.Of(Instruction.Create(Iced.Intel.Code.Retnq), _factory);
        }

        byte[] bytes = new byte[LongestInstruction];
        int count = LongestInstruction;
        while (count > 0 && !_memory.TryRead(address, bytes.AsSpan(0, count)))
        {
            count--;
        }

        Instruction instruction = Decoder.Create(Bitness, bytes[..count], address).Decode();
        return instruction.IsInvalid ? null : EmulatedStep.Of(instruction, _factory);
    }
}
