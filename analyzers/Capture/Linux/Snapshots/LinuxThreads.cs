using HangTriage.Capture.Linux.Damage;
using HangTriage.Capture.Managed;
using HangTriage.Capture.Managed.Snapshots;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;

namespace HangTriage.Capture.Linux.Snapshots;

/// <summary>Reads the threads of a Linux process, managed or not.</summary>
internal sealed class LinuxThreads(ILinuxProcess process, Known<IReadOnlyList<ModuleFacts>> modules, CaptureContext context)
{
    public const string NoNativeStacks = "native stacks of Linux cores are not read";

    private readonly IDataReader _reader = process.Target.DataReader;
    private readonly string _notRecorded = process.Absence.OfFact;

    public Known<IReadOnlyList<ThreadFacts>> Read(ManagedReading? managed, List<Gap> gaps)
    {
        if (_reader is not IThreadReader reader)
        {
            return Known.Unknown<IReadOnlyList<ThreadFacts>>("threads", "this target lists none");
        }

        uint[] ids = [.. reader.EnumerateOSThreadIds().Take(context.Limits.Threads + 1)];
        if (ids.Length > context.Limits.Threads)
        {
            gaps.Add(new Gap("threads", $"more than the limit of {context.Limits.Threads}; the rest is left out"));
            ids = ids[..context.Limits.Threads];
        }

        gaps.AddRange(ThreadLosses.Find(_reader, ids, managed));
        Dictionary<uint, CpuTime>? times = Times();
        List<ThreadFacts> threads = [];
        foreach (uint id in ids)
        {
            context.Step();
            ThreadFacts thread = Thread(id, threads.Count, managed?.Threads.GetValueOrDefault(new ThreadId(id)), managed is not null, times);
            threads.Add(process.KernelThreads.GetValueOrDefault(id) is { } kernel ? WithKernel(thread, kernel) : thread);
        }

        return Known.Read<IReadOnlyList<ThreadFacts>>(threads);
    }

    private ThreadFacts Thread(uint id, int index, ManagedThread? managed, bool hasRuntime, Dictionary<uint, CpuTime>? times) => new()
    {
        OsId = new ThreadId(id),
        Index = index,
        ManagedId = managed?.ManagedId,
        Name = managed?.Name ?? Known.Unknown<string>("thread name", hasRuntime ? "a thread without managed code; " + _notRecorded : _notRecorded),
        Cpu = times is null ? Known.Unknown<CpuTime>("processor time", process.Absence.OfTimes)
            : times.TryGetValue(id, out CpuTime? time) ? Known.Read(time)
            : Known.Unknown<CpuTime>("processor time", "the source has none for this thread"),
        StartedAt = Known.Unknown<DateTimeOffset>("start time of the thread", _notRecorded),
        StartAddress = Known.Unknown<Address>("start address", _notRecorded),
        IsInSystemCall = process.SystemCalls.TryGetValue(id, out SystemCallState? call) ? Known.Read(call.IsInside) : null,
        SystemCall = call is { IsInside: true } ? Known.Read(new SystemCallFacts(Known.Read(call.Number), NameOf(call.Number)) { HasTimeout = call.HasTimeout }) : null,
        Stack = managed?.Stack ?? new StackFacts(InnermostFrame(id), new Gap("native stack", NoNativeStacks)),
    };

    private static ThreadFacts WithKernel(ThreadFacts thread, KernelThread kernel) => thread with
    {
        Name = thread.Name.HasValue ? thread.Name : Known.Derived(SafeText.Clean(kernel.Name)),
        Cpu = Known.Read(kernel.Cpu),
        StartedAt = kernel.StartedAt,
        Kernel = kernel.Facts,
    };

    private static Known<string> NameOf(uint systemCall)
        => LinuxCalls.Table.Find(systemCall)?.Name is { } name
            ? Known.Derived(name)
            : Known.Unknown<string>("name of the system call", "its number is none of the calls that are known to wait");

    /// <summary>Null where nothing tells a thread that used no time from a core whose writer left the field empty.</summary>
    private Dictionary<uint, CpuTime>? Times()
    {
        Dictionary<uint, CpuTime> times = [];
        if (_reader is IThreadInfoReader reader)
        {
            foreach (ThreadInfo info in reader.EnumerateThreadInfo())
            {
                if (info is { UserTime: { } user, KernelTime: { } kernel })
                {
                    times[info.OSThreadId] = new CpuTime(user, kernel);
                }
            }
        }

        return times.Values.Any(time => time.Total() > TimeSpan.Zero) ? times : null;
    }

    // The registers are in the core, so at least the place where the thread stands is known.
    private FrameFacts[] InnermostFrame(uint id)
    {
        if (ThreadRegisters.Of(_reader, id) is not { } registers)
        {
            return [];
        }

        ulong address = registers.Ip;
        ModuleFacts? module = modules.TryGet(out IReadOnlyList<ModuleFacts>? all)
            ? all.FirstOrDefault(module => address >= module.Base.Value && address - module.Base.Value < module.Size)
            : null;
        return
        [
            new FrameFacts
            {
                Ip = new Address(address),
                Sp = new Address(registers.Sp),
                Kind = module is null ? FrameKind.Unknown : FrameKind.Native,
                Trust = Trust.Read,
                Module = module?.Name,
                ModuleOffset = module is null ? null : address - module.Base.Value,
            },
        ];
    }
}
