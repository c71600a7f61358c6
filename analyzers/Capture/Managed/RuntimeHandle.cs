using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>A handle of the runtime's to an object.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Object">The object.</param>
/// <param name="Dependent">What a dependent handle keeps as long as the object lives; else a null object.</param>
internal readonly record struct RuntimeHandle(ClrHandleKind Kind, ClrObject Object, ClrObject Dependent)
{
    /// <summary>It keeps the object alive.</summary>
    public bool IsStrong
        => Kind is not (ClrHandleKind.WeakShort or ClrHandleKind.WeakLong or ClrHandleKind.WeakWinRT or ClrHandleKind.Dependent);

    public static RuntimeHandle Of(ClrHandle handle) => new(handle.HandleKind, handle.Object, handle.Dependent);
}
