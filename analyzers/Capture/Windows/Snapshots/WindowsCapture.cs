using HangTriage.Capture.Managed;
using HangTriage.Capture.Managed.Snapshots;
using HangTriage.Capture.Windows.DotNet;
using HangTriage.Capture.Windows.Images;
using HangTriage.Capture.Windows.Layout;
using HangTriage.Capture.Windows.Loader;
using HangTriage.Capture.Windows.Locks;
using HangTriage.Capture.Windows.Threads;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Snapshots;

/// <summary>Makes the facts of a Windows process, from whatever source shows it.</summary>
public static class WindowsCapture
{
    /// <summary>
    /// Reads all that can be read. What is missing in the source is a gap in the facts; it is never an exception.
    /// </summary>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static ProcessSnapshot Read(IWindowsProcess process, CaptureContext context) => AddManaged(ReadNative(process, context), process, context);

    /// <summary>The facts with what the process's .NET runtime says of it, or with the reason why that is missing.</summary>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static ProcessSnapshot AddManaged(ProcessSnapshot native, IWindowsProcess process, CaptureContext context)
    {
        ArgumentNullException.ThrowIfNull(native);
        ArgumentNullException.ThrowIfNull(process);
        ArgumentNullException.ThrowIfNull(context);
        try
        {
            context.Watch?.Begin();
            ManagedHalf managed = ManagedHalf.Read(native.Target.Runtimes, process, static _ => null, context);
            return native with
            {
                Target = native.Target with
                {
                    ProcessName = ProgramAssembly.AddTo(native.Target.ProcessName, managed.Reading?.Program),
                    Crash = native.Target.Crash is { } crash ? crash with { Exception = managed.Reading?.Exception } : null,
                },
                Managed = managed.Facts,
                Threads = managed.Reading is { } reading
                    ? native.Threads.Select<IReadOnlyList<ThreadFacts>>(threads => [.. threads.Select(thread => MixedStacks.AddTo(thread, reading))])
                    : native.Threads,
                Gaps = [.. native.Gaps, .. managed.Gaps],
            };
        }
        finally
        {
            context.Watch?.End();
        }
    }

    /// <summary>The same without the .NET runtime, whose half is a gap where there is one.</summary>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static ProcessSnapshot ReadNative(IWindowsProcess process, CaptureContext context)
    {
        ArgumentNullException.ThrowIfNull(process);
        ArgumentNullException.ThrowIfNull(context);
        List<Gap> gaps = [.. process.Gaps];
        IReadOnlyList<ModuleFacts> modules = process.Modules.TryGet(out IReadOnlyList<ModuleFacts>? list) ? list : [];
        using ModuleFiles? files = ModuleFiles.Of(modules, process.Architecture, context);
        TargetMemory memory = new(process, files?.Images);
        ImageMap images = new(modules, memory, context.Limits, files?.Pdbs, process.Functions);
        TargetArchitecture architecture = process.Architecture;
        process = ApplicationsSide(process, modules, memory, gaps, out bool isWow64);
        string? whyNotWalked = WhyNotWalked(process.Architecture, isWow64, memory);
        LoaderKnowledge loader = new(process.OsBuild, Find(images, "ntdll.dll")?.Exports?.Contains("wine_get_version"u8) == true);
        ThreadReader threads = new(process, memory, images, loader, whyNotWalked, context);
        Known<IReadOnlyList<ThreadFacts>> threadFacts = process.Threads.TryGet(out IReadOnlyList<WindowsThread>? threadList)
            ? Known.Read(threads.Read(threadList))
            : Known<IReadOnlyList<ThreadFacts>>.Unknown(process.Threads.Gap!);
        gaps.AddRange([.. threads.Gaps, .. whyNotWalked is null ? [] : new[] { new Gap("stacks", whyNotWalked) }]);
        Known<Address> peb = threads.Peb;
        Known<LockFacts> loaderLock = whyNotWalked is null
            ? LoaderLockReader.Read(memory, NativeLayout.Of(process.Architecture), peb)
            : Known.Unknown<LockFacts>("loader lock", $"the process environment block of {Bitness(isWow64, process.Architecture)} is not read");
        NativeLocks locks = threads.ReadLocks(loaderLock);
        gaps.AddRange(locks.Gaps);
        Image? main = MainImage(images, modules, memory, NativeLayout.Of(process.Architecture), peb, out Known<string> name);
        Known<IReadOnlyList<RuntimeFacts>> runtimes = process.Modules.HasValue
            ? Known.Derived(DotNetRuntimes.Find(modules, main))
            : Known<IReadOnlyList<RuntimeFacts>>.Unknown(process.Modules.Gap);
        return new ProcessSnapshot
        {
            Target = TargetOf(process) with { Architecture = architecture, ProcessName = name, Runtimes = runtimes },
            Modules = process.Modules,
            Threads = threadFacts,
            Windows = new WindowsFacts { Peb = peb, LoaderLock = loaderLock, Locks = locks.Locks, Waits = locks.Waits, Handles = process.Handles },
            Managed = runtimes.Is(found => found.Count == 0) ? null : ManagedHalf.Unknown("the runtime has not been read").Facts,
            Gaps = [.. gaps, .. process.Losses, .. files?.Gaps ?? []],
        };
    }

    /// <summary>Of a 32-bit process in 64-bit Windows its 32-bit side, where that is there.</summary>
    private static IWindowsProcess ApplicationsSide(
        IWindowsProcess process, IReadOnlyList<ModuleFacts> modules, TargetMemory memory, List<Gap> gaps, out bool isUnseen)
    {
        isUnseen = process.Architecture == TargetArchitecture.X64 && Contains(modules, "wow64.dll");
        if (!isUnseen || new Wow64Process(process, memory) is not { IsThere: true } application)
        {
            return process;
        }

        isUnseen = false;
        gaps.Add(new Gap("64-bit stacks", "of a 32-bit process in 64-bit Windows (WoW64) the 32-bit side is shown, which is the application's"));
        return application;
    }

    private static string? WhyNotWalked(TargetArchitecture architecture, bool isWow64, TargetMemory memory)
        => isWow64 ? "the stacks of a 32-bit process in 64-bit Windows (WoW64) are not walked: the application's registers " + memory.AbsentAll
            : architecture is TargetArchitecture.X64 or TargetArchitecture.X86 ? null
            : $"{NameOf(architecture)} stacks are not walked";

    private static TargetFacts TargetOf(IWindowsProcess process) => new()
    {
        Kind = process.Kind,
        Os = TargetOs.Windows,
        Architecture = process.Architecture,
        OsBuild = process.OsBuild,
        Pid = process.Pid,
        ProcessName = Known.Unknown<string>("process name", "its image has not been looked for"),
        ProcessorCount = process.ProcessorCount,
        StartedAt = process.StartedAt,
        CapturedAt = process.CapturedAt,
        StoodStill = process.StoodStill,
        Crash = process.Crash,
        Runtimes = Known.Unknown<IReadOnlyList<RuntimeFacts>>("runtimes", "they have not been looked for"),
    };

    /// <summary>The main program: the image that the process environment block names, else the first one.</summary>
    private static Image? MainImage(
        ImageMap images, IReadOnlyList<ModuleFacts> modules, TargetMemory memory, NativeLayout layout, Known<Address> peb, out Known<string> name)
    {
        if (peb.TryGet(out Address block)
            && memory.TryReadPointer(unchecked(block.Value + (ulong)layout.PebImageBase), layout.PointerSize, out ulong imageBase)
            && images.Find(imageBase) is { } named
            && named.Base == imageBase)
        {
            name = Known.Read(named.Module.Name);
            return named;
        }

        name = modules.Count > 0
            ? Known.Derived(modules[0].Name)
            : Known.Unknown<string>("process name", "the target lists no modules");
        return modules.Count > 0 ? images.Find(modules[0].Base.Value) : null;
    }

    private static bool Contains(IReadOnlyList<ModuleFacts> modules, string name)
    {
        foreach (ModuleFacts module in modules)
        {
            if (string.Equals(module.Name, name, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }

        return false;
    }

    private static Image? Find(ImageMap images, string name)
    {
        foreach (Image image in images.All)
        {
            if (string.Equals(image.Module.Name, name, StringComparison.OrdinalIgnoreCase))
            {
                return image;
            }
        }

        return null;
    }

    private static string Bitness(bool isWow64, TargetArchitecture architecture)
        => isWow64 ? "a 32-bit process in 64-bit Windows (WoW64)" : $"{NameOf(architecture)} processes";

    private static string NameOf(TargetArchitecture architecture) => architecture switch
    {
        TargetArchitecture.X86 => "x86",
        TargetArchitecture.Arm => "ARM",
        TargetArchitecture.Arm64 => "ARM64",
        _ => "x64",
    };
}
