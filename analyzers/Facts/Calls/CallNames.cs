namespace HangTriage.Facts.Calls;

/// <summary>The canonical forms of names: sources name one function in several ways.</summary>
public static class CallNames
{
    private const string User = "Nt";
    private const string Kernel = "Zw";

    /// <summary>ntdll exports each system call twice at one address: the Nt name is the canonical one.</summary>
    public static string Canonical(string function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return IsKernelAlias(function) ? string.Concat(User, function.AsSpan(Kernel.Length)) : function;
    }

    /// <summary>The second name of a system call: "ZwClose".</summary>
    public static bool IsKernelAlias(string function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return function.StartsWith(Kernel, StringComparison.Ordinal);
    }

    /// <summary>The name of a system call of Windows, known or not.</summary>
    public static bool IsSystemCall(string function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return function.StartsWith(User, StringComparison.Ordinal) || IsKernelAlias(function);
    }

    /// <summary>"App.Program.Main" of "App.Program.Main(System.String[])".</summary>
    public static string WithoutSignature(string method)
    {
        ArgumentNullException.ThrowIfNull(method);
        return method.IndexOf('(', StringComparison.Ordinal) is > 0 and int end ? method[..end] : method;
    }

    /// <summary>
    /// "Wait" of "&lt;Wait&gt;g____PInvoke|24_0", with the type before it or without: what the compiler makes of a call into native code.
    /// Where
    /// the method around it was compiled into its caller, this is all that names it.
    /// </summary>
    public static string WithoutStub(string method)
    {
        ArgumentNullException.ThrowIfNull(method);
        const string Stub = ">g____PInvoke|";
        return method.LastIndexOf(Stub, StringComparison.Ordinal) is > 0 and int end && method.LastIndexOf('<', end) is >= 0 and int start
            ? string.Concat(method.AsSpan(0, start), method.AsSpan(start + 1, end - start - 1))
            : method;
    }

    /// <summary>"SendReceive" of "CRpcChannelBuffer::SendReceive".</summary>
    public static string WithoutClass(string function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return function.LastIndexOf("::", StringComparison.Ordinal) is int at and >= 0 ? function[(at + 2)..] : function;
    }

    /// <summary>The first part of the method's name: of the namespaces of one library or program mostly the same.</summary>
    public static string Root(string method)
    {
        ArgumentNullException.ThrowIfNull(method);
        return method[..Math.Max(method.IndexOf('.', StringComparison.Ordinal), 0)];
    }
}
