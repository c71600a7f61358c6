using System.Collections.ObjectModel;
using HangTriage.Facts;

namespace HangTriage.Capture.Linux;

/// <summary>What an ELF core states of its process in its notes.</summary>
internal sealed record CoreNotes
{
    private const uint ThreadStatus = 1;
    private const uint FloatRegisters = 2;
    private const uint ProcessStatusInfo = 3;
    private const uint AuxiliaryValues = 6;
    private const uint FileTable = 0x46494C45;
    private const uint SignalInformation = 0x53494749;
    private const int NoteSize = 256 << 20;
    private const ushort X64 = 62;
    private const ushort Core = 4;
    private const int MostAssemblies = 4_096;

    // createdump adds a page that tells debuggers where the runtime is.
    public const ulong DiagnosticsPage64 = 0x7ffffff10000;
    private const ulong DiagnosticsPage32 = 0x7fff1000;

    public uint? Pid { get; init; }

    /// <summary>The kernel's name of the process: its file name, cut after 15 characters.</summary>
    public string? ShortName { get; init; }

    /// <summary>What the kernel told the program at its start.</summary>
    public AuxiliaryVector Auxiliary { get; init; } = AuxiliaryVector.Empty;

    public IReadOnlyList<MappedRange> Files { get; init; } = [];

    /// <summary>Memory whose contents are in the core, by address.</summary>
    public IReadOnlyList<ElfSegment> Memory { get; init; } = [];

    /// <summary>createdump wrote the core, which leaves out no page that it found to be needed.</summary>
    public bool IsOfCreatedump { get; init; }

    /// <summary>
    /// The core has the heap alone, or less: of assemblies createdump then keeps the pages that name the methods of the stacks.
    /// Of such a core it holds some 12 in 100 of their bytes, of a full one all (seen on .NET 8, 9 and 10).
    /// </summary>
    public bool LeavesOutAssemblies
        => IsOfCreatedump && Assemblies.Aggregate((Mapped: 0UL, Held: 0UL), (sum, file) => (sum.Mapped + file.Length, sum.Held + Held(file))) is var (mapped, held) && held < mapped / 2;

    /// <summary>Where assemblies are mapped, those of a program of any sensible size.</summary>
    public IEnumerable<MappedRange> Assemblies => Files.Where(file => file.Path.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)).Take(MostAssemblies);

    /// <summary>The process is known to have run .NET: by who wrote the core, or by a file that it had mapped.</summary>
    public bool HasDotNet => IsOfCreatedump || Files.Any(file => file.Path.EndsWith("/libcoreclr.so", StringComparison.Ordinal));

    /// <summary>By thread; empty where the processor's registers do not tell.</summary>
    public IReadOnlyDictionary<uint, SystemCallState> SystemCalls { get; init; } = ReadOnlyDictionary<uint, SystemCallState>.Empty;

    /// <summary>By thread, the registers that the reader of cores leaves out.</summary>
    public IReadOnlyDictionary<uint, OtherRegisters> OtherRegisters { get; init; } = ReadOnlyDictionary<uint, OtherRegisters>.Empty;

    /// <summary>The signal that the core was written for; null where none is recorded.</summary>
    public CrashFacts? Crash { get; init; }

    /// <summary>Bytes of memory that the headers state and the file does not have.</summary>
    public ulong MissingBytes { get; init; }

    /// <exception cref="TargetOpenException">No core, or one that is cut off before its memory starts.</exception>
    public static CoreNotes Read(Stream file, CaptureLimits limits)
    {
        try
        {
            return Read(ElfFields.Open(file), (ulong)file.Length, limits);
        }
        catch (InvalidDataException e)
        {
            throw new TargetOpenException($"not a readable ELF core: {e.Message}", e);
        }
        catch (IOException e)
        {
            throw new TargetOpenException($"the core cannot be read: {Attempt.OneLine(e.Message)}", e);
        }
    }

    private static CoreNotes Read(ElfFields elf, ulong length, CaptureLimits limits)
    {
        if (elf.Type != Core)
        {
            throw new InvalidDataException($"its ELF type is {elf.Type}, not {Core} (a core)");
        }

        IReadOnlyList<ElfSegment> segments = elf.Segments(limits.MemoryRanges);
        ElfSegment[] memory = [.. segments.Where(segment => segment is { Type: ElfSegment.Load, FileSize: > 0 }).OrderBy(segment => segment.Address)];
        ulong diagnostics = elf.Is64Bit ? DiagnosticsPage64 : DiagnosticsPage32;
        CoreNotes notes = new()
        {
            MissingBytes = Missing(segments, length),
            Memory = memory,
            IsOfCreatedump = memory.Any(segment => diagnostics >= segment.Address && diagnostics - segment.Address < segment.FileSize),
        };
        Dictionary<uint, SystemCallState> calls = [];
        Dictionary<uint, OtherRegisters> others = [];
        ReadOnlyMemory<byte> status = default;
        bool hasNotes = false;
        ReadOnlyMemory<byte> signal = default;
        foreach (ElfSegment segment in segments.Where(segment => segment.Type == ElfSegment.Note))
        {
            foreach (ElfNote note in ElfNote.Parse(elf.Contents(segment, NoteSize)).Where(note => note.Owner == "CORE"))
            {
                hasNotes = true;
                if (note.Type == ThreadStatus && elf.Machine == X64 && calls.Count < limits.Threads)
                {
                    SystemCallState.ReadX64(note.Contents.Span, calls);
                    status = note.Contents;
                }

                // Behind the note with the thread's other registers.
                if (note.Type == FloatRegisters && others.Count < limits.Threads)
                {
                    Linux.OtherRegisters.ReadX64(status.Span, note.Contents, others);
                }

                signal = note.Type == SignalInformation && signal.IsEmpty ? note.Contents : signal;
                notes = note.Type switch
                {
                    ThreadStatus when notes.Crash is null => notes with { Crash = CoreSignal.Read(note.Contents.Span, elf.Is64Bit) },
                    ProcessStatusInfo => notes.WithProcess(note.Contents.Span, elf.Is64Bit),
                    AuxiliaryValues => notes with { Auxiliary = AuxiliaryVector.Parse(note.Contents.Span, elf.Is64Bit) },
                    FileTable => notes with { Files = MappedRange.Parse(note.Contents.Span, elf.Is64Bit) },
                    _ => notes,
                };
            }
        }

        return hasNotes
            ? notes.WithOrigin(signal.Span, elf.Is64Bit) with { SystemCalls = calls, OtherRegisters = others }
            : throw new InvalidDataException("it has no notes, so no threads");
    }

    // prpsinfo: four one-byte fields, a word of flags, user and group id, pid, three more ids, 16 characters of name.
    private CoreNotes WithProcess(ReadOnlySpan<byte> info, bool is64Bit)
    {
        int pid = is64Bit ? 24 : 12;
        int name = is64Bit ? 40 : 28;
        return info.Length < name + 16
            ? this
            : this with
            {
                Pid = ElfFields.U32(info, pid),
                ShortName = System.Text.Encoding.UTF8.GetString(info.Slice(name, 16)).Split('\0')[0] is { Length: > 0 } found ? found : null,
            };
    }

    private CoreNotes WithOrigin(ReadOnlySpan<byte> signal, bool is64Bit)
        => Crash is null ? this : this with { Crash = Crash with { Origin = CoreSignal.OriginOf(signal, is64Bit, Crash.Code, Pid) } };

    private ulong Held(MappedRange file)
    {
        ulong held = 0;
        foreach (ElfSegment segment in Memory)
        {
            ulong end = segment.Address > ulong.MaxValue - segment.FileSize ? ulong.MaxValue : segment.Address + segment.FileSize;
            ulong from = Math.Max(segment.Address, file.Start);
            ulong to = Math.Min(end, file.End);
            held += to > from ? to - from : 0;
        }

        return held;
    }

    private static ulong Missing(IReadOnlyList<ElfSegment> segments, ulong length)
    {
        ulong missing = 0;
        foreach (ElfSegment segment in segments.Where(segment => segment.Type == ElfSegment.Load))
        {
            ulong there = segment.FileOffset >= length ? 0 : Math.Min(segment.FileSize, length - segment.FileOffset);
            ulong cut = segment.FileSize - there;
            missing = missing > ulong.MaxValue - cut ? ulong.MaxValue : missing + cut;
        }

        return missing;
    }
}
