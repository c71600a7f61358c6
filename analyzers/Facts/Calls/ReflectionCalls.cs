namespace HangTriage.Facts.Calls;

/// <summary>
/// By which members of .NET code calls methods that none of its instructions names, and which attributes tell nobody to do so. Sources: the
/// public members of these types in .NET 8 to 10.
/// </summary>
public static class ReflectionCalls
{
    private const string Binder = "Microsoft.CSharp.RuntimeBinder.";

    private static readonly HashSet<string> s_calls = new(StringComparer.Ordinal)
    {
        "System.Reflection.MethodBase.Invoke", "System.Reflection.MethodInfo.Invoke", "System.Reflection.MethodInfo.CreateDelegate",
        "System.Reflection.MethodInvoker.Invoke", "System.Delegate.CreateDelegate", "System.Type.InvokeMember",
        "System.Linq.Expressions.Expression.Call",
    };

    private static readonly string[] s_forCompilers =
    [
        "System.Runtime.CompilerServices.", "System.Diagnostics.", "System.ObsoleteAttribute",
        "System.ComponentModel.EditorBrowsableAttribute", "System.FlagsAttribute", "System.SerializableAttribute",
        "System.CLSCompliantAttribute", "System.Reflection.DefaultMemberAttribute",
        "Microsoft.CodeAnalysis.", "System.CodeDom.Compiler.GeneratedCodeAttribute", "JetBrains.Annotations.", "System.Security.",
    ];

    public static bool Has(string type, string member)
    {
        ArgumentNullException.ThrowIfNull(type);
        return s_calls.Contains($"{type}.{member}") || type.StartsWith(Binder, StringComparison.Ordinal);
    }

    /// <summary>An attribute of that type is for compilers, debuggers and people.</summary>
    public static bool IsForCompilers(string type)
        => Array.Exists(s_forCompilers, start => type.StartsWith(start, StringComparison.Ordinal));
}
