using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>What a WeakReference or WeakReference&lt;T&gt; leads to.</summary>
/// <remarks>dotnet/runtime: WeakReference.cs and WeakReference.T.cs; the two low bits of the handle are the reference's own.</remarks>
internal static class WeakTarget
{
    private const string Name = "System.WeakReference";
    private const ulong HandleMask = ~3UL;

    public static bool IsWeak(ClrObject found) => found.Type?.Name is { } name && (name == Name || name.StartsWith(Name + "<", StringComparison.Ordinal));

    /// <summary>0 where the object has been collected, and where the handle cannot be read.</summary>
    public static ulong Of(ClrObject weak)
        => weak.Type?.GetFieldByName("_taggedHandle") is { } handle
            && weak.Type.Heap.Runtime.DataTarget.DataReader is var reader
            && reader.ReadPointer(handle.GetAddress(weak.Address), out ulong tagged)
            && reader.ReadPointer(tagged & HandleMask, out ulong target)
                ? target
                : 0;
}
