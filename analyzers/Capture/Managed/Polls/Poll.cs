using HangTriage.Capture.Managed.Code;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>A loop that waits, as it was found.</summary>
/// <param name="Module">The module of its method.</param>
/// <param name="Method">The method's token.</param>
/// <param name="Name">The method's name, as frames have it.</param>
/// <param name="Content">What it does.</param>
internal sealed record Poll(IlModule Module, int Method, string Name, LoopContent Content)
{
    public ClrThread? Thread { get; init; }

    /// <summary>Beyond the loop the thread goes round none but such as end by themselves.</summary>
    public bool IsOnWayToEnd { get; init; }

    /// <summary>Whether its next look ends it could not be told.</summary>
    public bool MayHaveCome { get; init; }

    public ulong Flow { get; init; }

    /// <summary>Its fields alone decide when it ends.</summary>
    public bool IsByFields => Content.Calls.Count == 0 && Changing.Any();

    public IEnumerable<IlMember> Changing => Content.Fields.Where(read => !(read.IsOwn && Module.IsReadOnly(read.Definition)));
}
