using HangTriage.Facts;

namespace HangTriage.Capture.Windows;

/// <summary>
/// A Windows process as its source shows it: a minidump, a debugger session, a live process. It says what the source
/// itself states and gives access to memory; <see cref="Snapshots.WindowsCapture"/> makes facts of it.
/// Addresses are the target's, zero-extended to 64 bits.
/// </summary>
public interface IWindowsProcess : IProcessSource
{
    /// <summary>The architecture of the contexts and of the native address space; X64 for a WoW64 process seen as 64-bit.</summary>
    TargetArchitecture Architecture { get; }

    /// <summary>The images in the order of the source, names without folders. A gap where the source has no list.</summary>
    Known<IReadOnlyList<ModuleFacts>> Modules { get; }

    /// <summary>The threads in the order of the source. A gap where the source has no list.</summary>
    Known<IReadOnlyList<WindowsThread>> Threads { get; }

    /// <summary>The open handles and what is known of their objects. A gap where the source has no list.</summary>
    Known<IReadOnlyList<HandleFacts>> Handles { get; }

    /// <summary>What the source lost, cut or contradicts, beyond the gaps above.</summary>
    IReadOnlyList<Gap> Gaps { get; }

    /// <summary>What was asked of the source, that it promises and has lost; complete when all has been read.</summary>
    IReadOnlyList<Gap> Losses => [];

    /// <summary>Names that the source has of functions, which go before the images' own; null for none.</summary>
    IFunctionNamer? Functions => null;

    /// <summary>Copies memory of the target, up to the first byte that the source does not have.</summary>
    /// <returns>The number of bytes copied, from <paramref name="address"/> on; 0 where the first one is missing.</returns>
    int ReadMemory(ulong address, Span<byte> buffer);

    /// <summary>Copies a thread's CONTEXT record as Windows lays it out for <see cref="Architecture"/>.</summary>
    /// <returns>The number of bytes copied; 0 where the source has no registers of the thread.</returns>
    int ReadContext(WindowsThread thread, Span<byte> buffer);
}
