using System.Runtime.InteropServices;
using HangTriage.Capture.Managed;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Windows.DotNet;

/// <summary>
/// Opens the .NET runtime of a Windows process with the runtime's own library for readers (the DAC), which is Windows code
/// and loads on Windows alone.
/// </summary>
public sealed class WindowsRuntime : IRuntimeDoor
{
    private readonly TargetArchitecture _architecture;
    private readonly Func<CaptureContext, DataTarget> _open;

    private WindowsRuntime(TargetArchitecture architecture, Func<CaptureContext, DataTarget> open)
    {
        _architecture = architecture;
        _open = open;
    }

    /// <summary>The way through a minidump's file.</summary>
    public static WindowsRuntime OfDump(string path, TargetArchitecture architecture) => new(architecture, context => ClrTarget.Open(path, context.Limits));

    /// <summary>The way through a debugger's session, on the thread that the debugger calls on.</summary>
    /// <param name="client">The session's IDebugClient; its reference stays the caller's.</param>
    /// <param name="architecture">The process's.</param>
    public static WindowsRuntime OfDebugger(nint client, TargetArchitecture architecture)
        => new(architecture, context => ClrTarget.OfDebugger(client, context.Limits));

    /// <summary>The way through a process that runs on this machine.</summary>
    /// <param name="open">Opens it for ClrMD.</param>
    /// <param name="architecture">The process's.</param>
    internal static WindowsRuntime OfProcess(Func<CaptureContext, DataTarget> open, TargetArchitecture architecture) => new(architecture, open);

    public OpenedRuntime? Open(CaptureContext context, out string why)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (WhyNotHere(context) is { } notHere)
        {
            why = notHere;
            return null;
        }

        DataTarget target = _open(context);
        try
        {
            if (Open(target, context, out why) is { } runtime)
            {
                return new OpenedRuntime(runtime, runtime, target);
            }
        }
        catch
        {
            target.Dispose();
            throw;
        }

        target.Dispose();
        return null;
    }

    private static ClrRuntime? Open(DataTarget target, CaptureContext context, out string why)
    {
        if (target.ClrVersions is not [ClrInfo clr, ..])
        {
            why = "ClrMD recognises no runtime in the dump";
            return null;
        }

        return WindowsDacLocator.Find(clr, context, out why) is { } dac ? clr.CreateRuntime(dac, ignoreMismatch: true) : null;
    }

    private string? WhyNotHere(CaptureContext context)
        => context.Dac is not null || (OperatingSystem.IsWindows() && IsThisProcess(_architecture))
            ? null
            : $"the .NET runtime of a Windows {NameOf(_architecture)} dump can be read on Windows {NameOf(_architecture)} alone: analyze it there, "
                + "or capture its facts there and analyze those here (triage capture x.dmp -o x.facts.json)";

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
