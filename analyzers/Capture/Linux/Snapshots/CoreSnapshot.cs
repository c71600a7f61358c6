using System.Runtime.InteropServices;
using HangTriage.Capture.Linux.Damage;
using HangTriage.Capture.Linux.Images;
using HangTriage.Capture.Managed;
using HangTriage.Capture.Managed.Snapshots;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Snapshots;

/// <summary>Puts together what an open core says.</summary>
internal sealed class CoreSnapshot(DataTarget target, CoreNotes notes, CaptureContext context)
{
    private readonly List<Gap> _gaps = [];

    public required TargetKind Kind { get; init; }

    /// <summary>Notes what is asked of the target and lost; null where nobody does.</summary>
    public CoreLosses? Losses { get; init; }

    public ProcessSnapshot Read()
    {
        TargetArchitecture architecture = Architecture(target.DataReader.Architecture);
        if (notes.MissingBytes > 0)
        {
            _gaps.Add(new Gap("memory", $"the core is cut off: its headers state {notes.MissingBytes} bytes more than the file has"));
        }

        Known<IReadOnlyList<ModuleFacts>> modules = Attempt.Read("modules", Modules);
        Known<IReadOnlyList<ClrInfo>> runtimes = Attempt.Read("runtimes", () => Known.Read<IReadOnlyList<ClrInfo>>(target.ClrVersions));
        (Known<ManagedFacts>? managed, ManagedReading? reading) = Managed(runtimes);
        _gaps.Add(new Gap("native stacks", CoreThreads.NoNativeStacks));
        if (reading is not null)
        {
            _gaps.AddRange(reading.Gaps);
        }

        context.Progress?.Report("threads");
        Known<IReadOnlyList<ThreadFacts>> threads = Attempt.Read("threads", () => new CoreThreads(target, Kind, modules, notes.SystemCalls, context).Read(reading, _gaps));
        TargetFacts facts = Target(architecture, modules, runtimes);
        _gaps.AddRange(Losses?.Gaps(isMini: reading is { HasHeap: false }) ?? []);
        if (_gaps.Any(gap => gap.IsLoss))
        {
            managed = managed?.Select(Distrust.Of);
        }

        return new ProcessSnapshot
        {
            Target = facts,
            Modules = modules,
            Threads = threads,
            Managed = managed,
            Gaps = _gaps,
        };
    }

    private static TargetArchitecture Architecture(Architecture architecture) => architecture switch
    {
        System.Runtime.InteropServices.Architecture.X86 => TargetArchitecture.X86,
        System.Runtime.InteropServices.Architecture.X64 => TargetArchitecture.X64,
        System.Runtime.InteropServices.Architecture.Arm => TargetArchitecture.Arm,
        System.Runtime.InteropServices.Architecture.Arm64 => TargetArchitecture.Arm64,
        _ => throw new TargetOpenException($"a core of a {architecture} processor is not read; x86, x64, Arm and Arm64 are"),
    };

    private TargetFacts Target(
        TargetArchitecture architecture,
        Known<IReadOnlyList<ModuleFacts>> modules,
        Known<IReadOnlyList<ClrInfo>> runtimes)
        => new()
        {
            Kind = Kind,
            Os = TargetOs.Linux,
            Architecture = architecture,
            OsBuild = NotRecorded<uint>("operating system build"),
            Pid = notes.Pid is uint pid ? Known.Read(pid) : NotRecorded<uint>("process id"),
            ProcessName = ProcessName(modules),
            ProcessorCount = NotRecorded<uint>("processor count"),
            StartedAt = NotRecorded<DateTimeOffset>("start time of the process"),
            Identity = Identity(),
            CapturedAt = NotRecorded<DateTimeOffset>("time of the capture"),
            Runtimes = runtimes.Select<IReadOnlyList<RuntimeFacts>>(found => [.. found.Select(RuntimeDescription.Of)]),
        };

    private Known<ProcessIdentity> Identity()
    {
        CoreMemory memory = new(target.DataReader, notes.Memory);
        return notes.Auxiliary == AuxiliaryVector.Empty
            ? NotRecorded<ProcessIdentity>("identity of the process")
            : Attempt.Read("identity of the process", () => Known.Read(IdentityReader.Read(notes.Auxiliary, (address, bytes) => memory.Read(address, bytes))));
    }

    private Known<T> NotRecorded<T>(string what)
        where T : notnull
        => Known.Unknown<T>(what, Kind == TargetKind.ElfCore ? "this ELF core does not record it" : "the debugger does not tell it");

    // The kernel's own name for the process is cut after 15 characters, so the image that holds the main program's headers
    // comes first.
    private Known<string> ProcessName(Known<IReadOnlyList<ModuleFacts>> modules)
    {
        if (notes.Auxiliary.ProgramHeaders is ulong address && modules.TryGet(out IReadOnlyList<ModuleFacts>? all))
        {
            ModuleFacts? main = all.FirstOrDefault(module => address >= module.Base.Value && address - module.Base.Value < module.Size);
            if (main is not null)
            {
                return Known.Derived(main.Name);
            }
        }

        return notes.ShortName is { } name ? Known.Read(name) : NotRecorded<string>("process name");
    }

    private Known<IReadOnlyList<ModuleFacts>> Modules()
    {
        List<ModuleFacts> modules = [];
        foreach (ModuleInfo module in target.EnumerateModules())
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
                string name = path[(path.LastIndexOf('/') + 1)..];
                name = name.Length > context.Limits.NameLength ? name[..context.Limits.NameLength] : name;
                // An image whose own headers are not in the core has no size; the table of mapped files tells.
                ulong size = module.ImageSize > 0 ? (ulong)module.ImageSize : MappedRange.Extent(notes.Files, module.ImageBase);
                modules.Add(new ModuleFacts(name, new Address(module.ImageBase), size));
            }
        }

        return Known.Read<IReadOnlyList<ModuleFacts>>(modules);
    }

    /// <summary>Null facts where the process is known to run no .NET.</summary>
    private (Known<ManagedFacts>? Facts, ManagedReading? Reading) Managed(Known<IReadOnlyList<ClrInfo>> runtimes)
    {
        const string what = "managed threads and locks";
        if (!runtimes.TryGet(out IReadOnlyList<ClrInfo>? found))
        {
            return (Known<ManagedFacts>.Unknown(runtimes.Gap!), null);
        }

        if (found.Count == 0)
        {
            return (notes.HasDotNet ? Known<ManagedFacts>.Unknown(new Gap(what, "the process ran .NET, and its runtime cannot be recognized: its headers are damaged or missing") { IsLoss = true }) : null, null);
        }

        if (found.Count > 1)
        {
            _gaps.Add(new Gap("runtimes", $"{found.Count} .NET runtimes are loaded; only the first is read"));
        }

        if (context.WhyWithoutRuntime is { } without)
        {
            return (Known.Unknown<ManagedFacts>(what, without), null);
        }

        context.Progress?.Report("runtime");
        try
        {
            if (context.Runtime is { } open)
            {
                return Managed(open);
            }

            using ClrRuntime? runtime = CoreRuntime.Open(found[0], context, out string why);
            return runtime is null ? (Known.Unknown<ManagedFacts>(what, why), null) : Managed(runtime);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return (Known<ManagedFacts>.Unknown(Attempt.Failed(what, e)), null);
        }
    }

    private (Known<ManagedFacts>? Facts, ManagedReading? Reading) Managed(ClrRuntime runtime)
    {
        ManagedReading reading = ManagedReader.Read(runtime, context);
        return (Known.Read(reading.Facts), reading);
    }
}
