using System.Runtime.InteropServices;
using HangTriage.Capture.Managed;
using HangTriage.Capture.Managed.Snapshots;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Windows.DotNet;

/// <summary>
/// Adds what the .NET runtime in a minidump says of its process: through the runtime's own library for readers (the DAC),
/// which is Windows code and loads on Windows alone.
/// </summary>
internal static class MinidumpRuntime
{
    private const string What = "managed state";

    /// <summary>The facts with the managed half, or with the reason why it is missing; as they were where there is no .NET.</summary>
    /// <param name="native">The facts of the dump's native half.</param>
    /// <param name="path">The dump.</param>
    /// <param name="context">Limits, progress, cancellation and where the DAC may be.</param>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    /// <remarks>Where the context has an open runtime, the capture of the native half has added it already.</remarks>
    public static ProcessSnapshot AddTo(ProcessSnapshot native, string path, CaptureContext context)
        => AddTo(native, () => ClrTarget.Open(path, context.Limits), context);

    /// <summary>The same with another way to the process.</summary>
    public static ProcessSnapshot AddTo(ProcessSnapshot native, Func<DataTarget> open, CaptureContext context)
    {
        if (context.Runtime is not null || !native.Target.Runtimes.TryGet(out IReadOnlyList<RuntimeFacts>? runtimes) || runtimes.Count == 0)
        {
            return native;
        }

        context.Progress?.Report("runtime");
        if ((context.WhyWithoutRuntime ?? WhyNotHere(native.Target.Architecture, context)) is { } why)
        {
            return native with { Managed = Known.Unknown<ManagedFacts>(What, why) };
        }

        try
        {
            context.Watch?.Begin();
            return Read(native, open, context);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return native with { Managed = Known<ManagedFacts>.Unknown(Attempt.Failed(What, e)) };
        }
        finally
        {
            context.Watch?.End();
        }
    }

    /// <summary>The facts with the managed half, from a runtime that the host has open.</summary>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static ProcessSnapshot AddTo(ProcessSnapshot native, ClrRuntime runtime, CaptureContext context)
    {
        try
        {
            return With(native, runtime, context);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return native with { Managed = Known<ManagedFacts>.Unknown(Attempt.Failed(What, e)) };
        }
    }

    private static ProcessSnapshot Read(ProcessSnapshot native, Func<DataTarget> open, CaptureContext context)
    {
        using DataTarget target = open();
        if (target.ClrVersions is not [ClrInfo clr, ..])
        {
            return native with { Managed = Known.Unknown<ManagedFacts>(What, "ClrMD recognises no runtime in the dump") };
        }

        if (WindowsDacLocator.Find(clr, context, out string why) is not { } dac)
        {
            return native with { Managed = Known.Unknown<ManagedFacts>(What, why) };
        }

        using ClrRuntime runtime = clr.CreateRuntime(dac, ignoreMismatch: true);
        return With(native, runtime, context);
    }

    private static ProcessSnapshot With(ProcessSnapshot native, ClrRuntime runtime, CaptureContext context)
    {
        ManagedReading reading = ManagedReader.Read(runtime, context);
        int runtimes = runtime.DataTarget.ClrVersions.Length;
        Gap[] left = runtimes > 1 ? [new Gap("runtimes", $"{runtimes} .NET runtimes are loaded; only one is read")] : [];
        return native with
        {
            Managed = Known.Read(reading.Facts),
            Threads = native.Threads.Select<IReadOnlyList<ThreadFacts>>(threads => [.. threads.Select(thread => Join(thread, reading))]),
            Gaps = [.. native.Gaps, .. left, .. reading.Gaps],
        };
    }

    private static ThreadFacts Join(ThreadFacts thread, ManagedReading reading)
        => !reading.Threads.TryGetValue(thread.OsId, out ManagedThread? managed)
            ? thread
            : thread with
            {
                ManagedId = managed.ManagedId,
                Name = thread.Name.TryGet(out string? name) && name.Length > 0 ? thread.Name : managed.Name,
                Stack = MixedStacks.Join(thread.Stack, managed.Stack),
            };

    private static string? WhyNotHere(TargetArchitecture target, CaptureContext context)
    {
        if (context.Dac is not null)
        {
            return null;
        }

        string system = $"Windows {NameOf(target)}";
        return OperatingSystem.IsWindows() && IsThisProcess(target)
            ? null
            : $"the .NET runtime of a {system} dump can be read on {system} alone: analyze it there, "
                + "or capture its facts there and analyze those here (triage capture x.dmp -o x.facts.json)";
    }

    private static bool IsThisProcess(TargetArchitecture target) => RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X86 => target == TargetArchitecture.X86,
        Architecture.X64 => target == TargetArchitecture.X64,
        Architecture.Arm64 => target == TargetArchitecture.Arm64,
        _ => false,
    };

    private static string NameOf(TargetArchitecture architecture) => architecture switch
    {
        TargetArchitecture.X86 => "x86",
        TargetArchitecture.X64 => "x64",
        TargetArchitecture.Arm => "Arm",
        _ => "Arm64",
    };
}
