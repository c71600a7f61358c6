using System.Collections.ObjectModel;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux;

/// <summary>
/// A Linux process as its source shows it: a core, a debugger's session, a live process. It says what the source itself
/// states and gives access to memory; <see cref="Snapshots.LinuxSnapshot"/> makes facts of it.
/// </summary>
internal interface ILinuxProcess : IProcessSource
{
    /// <summary>Memory, modules and, as an IThreadReader, threads and their registers.</summary>
    DataTarget Target { get; }

    /// <summary>What tells the process from others of the same id.</summary>
    Known<ProcessIdentity> Identity { get; }

    /// <summary>The kernel's name of the process, cut after 15 characters, or the file name of its program; null where it is not known.</summary>
    string? Name { get; }

    /// <summary>Where the headers of the main program lie; null where it is not known.</summary>
    ulong? ProgramHeaders { get; }

    /// <summary>The files that are mapped; empty where it is not known.</summary>
    IReadOnlyList<MappedRange> Files { get; }

    /// <summary>By thread; empty where the processor's registers do not tell.</summary>
    IReadOnlyDictionary<uint, SystemCallState> SystemCalls { get; }

    /// <summary>By thread, with null for one of which the kernel said nothing; empty where the source is no live process.</summary>
    IReadOnlyDictionary<uint, KernelThread?> KernelThreads => ReadOnlyDictionary<uint, KernelThread?>.Empty;

    /// <summary>The process is known to run .NET, whether or not its runtime can be recognized.</summary>
    bool HasDotNet { get; }

    /// <summary>What the source lost, cut or contradicts.</summary>
    IReadOnlyList<Gap> Gaps { get; }

    /// <summary>What was asked of the source, that it promises and has lost; complete when all has been read.</summary>
    /// <param name="isMini">The source leaves memory out on purpose: what it has not is no loss.</param>
    IEnumerable<Gap> Losses(bool isMini);
}
