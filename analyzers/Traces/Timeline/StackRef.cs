namespace HangTriage.Traces.Timeline;

/// <summary>A stack: frames of a <see cref="StackTree"/>, and keys whose frames the trace may name later. The default is no stack.</summary>
/// <param name="Node">The innermost frame's node; 0 for none.</param>
/// <param name="KernelKey">The key of the kernel's part; 0 for none.</param>
/// <param name="UserKey">The key of the program's part; 0 for none.</param>
internal readonly record struct StackRef(int Node, ulong KernelKey, ulong UserKey)
{
    public bool IsEmpty => this == default;
}
