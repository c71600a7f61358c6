using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks;

/// <summary>The method that a delegate stands for.</summary>
/// <remarks>
/// The runtime's data library ends the process when it is asked for the code of a compiled expression that has not been called yet (seen of
/// .NET 10.0.12: a delegate on a <c>Closure</c>). Such methods have no name that helps, so it is not asked.
/// </remarks>
internal static class DelegateMethod
{
    private const string Closure = "System.Runtime.CompilerServices.Closure";
    private const string Dynamic = "System.Reflection.Emit.DynamicMethod";

    /// <summary>The object and the method; null for what is no delegate, or one of code that was made at run time.</summary>
    public static ClrDelegateTarget? TargetOf(ClrObject found)
        => found is { IsNull: false, IsDelegate: true } && !IsMadeAtRunTime(found) ? found.AsDelegate().GetDelegateTarget() : null;

    /// <inheritdoc cref="TargetOf"/>
    public static ClrMethod? Of(ClrObject found) => TargetOf(found)?.Method;

    /// <summary>The same of each that it was combined of, at most so many.</summary>
    public static IEnumerable<ClrDelegateTarget> TargetsOf(ClrObject found, int most)
        => (found.Reference("_invocationList") is { IsNull: false, IsArray: true } parts ? parts.Elements(most) : [found]).Select(TargetOf).OfType<ClrDelegateTarget>();

    private static bool IsMadeAtRunTime(ClrObject found)
        => found.Reference("_target").Type?.Name == Closure
            || found.Reference("_methodBase", "_helperObject").Type?.Name?.StartsWith(Dynamic, StringComparison.Ordinal) == true;
}
