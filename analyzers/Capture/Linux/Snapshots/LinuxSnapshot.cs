using System.Runtime.InteropServices;
using HangTriage.Capture.Linux.Damage;
using HangTriage.Capture.Managed;
using HangTriage.Capture.Managed.Reading;
using HangTriage.Capture.Managed.Snapshots;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Snapshots;

/// <summary>Makes the facts of a Linux process, from whatever source shows it.</summary>
internal sealed class LinuxSnapshot(ILinuxProcess process, CaptureContext context)
{
    private readonly List<Gap> _gaps = [.. process.Gaps];

    public ProcessSnapshot Read()
    {
        TargetArchitecture architecture = Architecture(process.Target.DataReader.Architecture);
        Known<IReadOnlyList<ModuleFacts>> modules = Attempt.Read("modules", Modules);
        Known<IReadOnlyList<RuntimeFacts>> runtimes = Attempt.Read("runtimes", Runtimes);
        ManagedHalf managed = ManagedHalf.Read(runtimes, process, thread => process.SystemCalls.GetValueOrDefault(thread)?.HasTimeout, context);
        _gaps.Add(new Gap("native stacks", LinuxThreads.NoNativeStacks));
        _gaps.AddRange(managed.Gaps);

        context.Progress?.Report("threads");
        Known<IReadOnlyList<ThreadFacts>> threads = Attempt.Read("threads", () => new LinuxThreads(process, modules, context).Read(managed.Reading, _gaps));
        TargetFacts target = Target(architecture, modules, runtimes, managed.Reading?.Program, managed.Reading?.Exception);
        _gaps.AddRange(process.Losses(isMini: managed.Reading is { HasHeap: false }));
        return new ProcessSnapshot
        {
            Target = target,
            Modules = modules,
            Threads = threads,
            Linux = Pthreads(threads),
            Managed = _gaps.Any(gap => gap.IsLoss) ? managed.Facts?.Select(Distrust.Of) : managed.Facts,
            Gaps = _gaps,
        };
    }

    // A small core leaves the memory of the words out on purpose.
    private LinuxFacts? Pthreads(Known<IReadOnlyList<ThreadFacts>> threads)
    {
        using OptionalReads optional = new(process.Target.DataReader);
        return process.SystemCalls.Count > 0 && threads.TryGet(out IReadOnlyList<ThreadFacts>? all)
            ? PthreadWaits.Read(process.Target.DataReader, all.Select(thread => thread.OsId.Value), process.SystemCalls)
            : null;
    }

    private static TargetArchitecture Architecture(Architecture architecture) => architecture switch
    {
        System.Runtime.InteropServices.Architecture.X86 => TargetArchitecture.X86,
        System.Runtime.InteropServices.Architecture.X64 => TargetArchitecture.X64,
        System.Runtime.InteropServices.Architecture.Arm => TargetArchitecture.Arm,
        System.Runtime.InteropServices.Architecture.Arm64 => TargetArchitecture.Arm64,
        _ => throw new TargetOpenException($"a process of a {architecture} processor is not read; x86, x64, Arm and Arm64 are"),
    };

    private TargetFacts Target(
        TargetArchitecture architecture,
        Known<IReadOnlyList<ModuleFacts>> modules,
        Known<IReadOnlyList<RuntimeFacts>> runtimes,
        string? program,
        ThrownException? exception) => new()
    {
        Kind = process.Kind,
        Os = TargetOs.Linux,
        Architecture = architecture,
        OsBuild = process.OsBuild,
        Pid = process.Pid,
        ProcessName = ProgramAssembly.AddTo(ProcessName(modules), program),
        ProcessorCount = process.ProcessorCount,
        StartedAt = process.StartedAt,
        Identity = process.Identity,
        CapturedAt = process.CapturedAt,
        StoodStill = process.StoodStill,
        Crash = process.Crash is { } crash ? crash with { Exception = exception } : null,
        Runtimes = runtimes,
    };

    // The kernel's own name for the process is cut after 15 characters, so the image that holds the main program's headers
    // comes first.
    private Known<string> ProcessName(Known<IReadOnlyList<ModuleFacts>> modules)
    {
        if (process.ProgramHeaders is ulong address && modules.TryGet(out IReadOnlyList<ModuleFacts>? all))
        {
            ModuleFacts? main = all.FirstOrDefault(module => address >= module.Base.Value && address - module.Base.Value < module.Size);
            if (main is not null)
            {
                return Known.Derived(main.Name);
            }
        }

        return process.Name is { } name ? Known.Read(name) : Known.Unknown<string>("process name", process.Absence.OfFact);
    }

    private Known<IReadOnlyList<ModuleFacts>> Modules()
    {
        List<ModuleFacts> modules = [];
        foreach (ModuleInfo module in process.Target.EnumerateModules())
        {
            context.Step();
            if (modules.Count == context.Limits.Modules)
            {
                _gaps.Add(new Gap("modules", $"more than the limit of {context.Limits.Modules}; the rest is left out"));
                break;
            }

            // The runtime maps the memory of its jitted code as a file that has only a name.
            if (module.FileName is { Length: > 0 } path && !path.StartsWith("/memfd:", StringComparison.Ordinal))
            {
                string name = context.Limits.Cut(path[(path.LastIndexOf('/') + 1)..]);
                // An image whose own headers are not in the core has no size; the table of mapped files tells.
                ulong size = module.ImageSize > 0 ? (ulong)module.ImageSize : MappedRange.Extent(process.Files, module.ImageBase);
                modules.Add(new ModuleFacts(name, new Address(module.ImageBase), size));
            }
        }

        return Known.Read<IReadOnlyList<ModuleFacts>>(modules);
    }

    private Known<IReadOnlyList<RuntimeFacts>> Runtimes()
    {
        RuntimeFacts[] found = [.. process.Target.ClrVersions.Select(RuntimeDescription.Of)];
        return found.Length > 0 || !process.HasDotNet
            ? Known.Read<IReadOnlyList<RuntimeFacts>>(found)
            : Known<IReadOnlyList<RuntimeFacts>>.Unknown(
                new Gap("runtimes", "the process ran .NET, and its runtime cannot be recognized: its headers are damaged or missing") { IsLoss = true });
    }
}
