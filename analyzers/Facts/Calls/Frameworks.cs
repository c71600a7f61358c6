namespace HangTriage.Facts.Calls;

/// <summary>Tells the code of .NET and of frameworks for user interfaces from a program's own, by the names of types and methods.</summary>
public static class Frameworks
{
    private const string Dynamic = "(dynamicClass).";
    private const string Stub = Dynamic + "IL_STUB";
    private const string BaseLibrary = "System.";
    private const string Forms = "dotnet/winforms: Application.ThreadContext.cs";
    private const string Wpf = "dotnet/wpf: Dispatcher.cs";
    private const string Avalonia = "AvaloniaUI/Avalonia: Dispatcher.MainLoop.cs, DispatcherFrame.cs";

    // Interop: where .NET's own assemblies declare the functions of the system that they call.
    private static readonly string[] s_prefixes = [BaseLibrary, "Microsoft.", "Avalonia.", "MS.", "Windows.Win32.", "Interop+", Stub];

    /// <summary>The message loops of user interfaces, with whatever comes behind the name: some have a second part.</summary>
    public static CallTable Loops { get; } = new(
    [
        Loop("System.Windows.Forms.Application+ThreadContext", "RunMessageLoop", Forms),
        Loop("System.Windows.Forms.Application", "RunMessageLoop", Forms),
        Loop("System.Windows.Threading.Dispatcher", "PushFrame", Wpf),
        Loop("Avalonia.Threading.Dispatcher", "MainLoop", Avalonia),
        Loop("Avalonia.Threading.Dispatcher", "PushFrame", Avalonia),
        Loop("Avalonia.Threading.DispatcherFrame", "Run", Avalonia),
    ]);

    // The client of Docker.DotNet brings its own HTTP.
    private const string NotOwn = "Microsoft.Net.Http.Client.";

    /// <summary>A type or method of .NET, a stub that it generates, or of a framework for user interfaces.</summary>
    public static bool IsOwn(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return !name.StartsWith(NotOwn, StringComparison.Ordinal) && Array.Exists(s_prefixes, prefix => name.StartsWith(prefix, StringComparison.Ordinal));
    }

    /// <summary>A type or method of .NET's own libraries.</summary>
    public static bool IsOfBaseLibrary(string? name) => name?.StartsWith(BaseLibrary, StringComparison.Ordinal) == true;

    /// <summary>A method that the runtime makes for a call into native code or back, where it does not compile it into the caller.</summary>
    public static bool IsStub(string? method) => method?.StartsWith(Stub, StringComparison.Ordinal) == true;

    /// <summary>
    /// A method that is made while the program runs: by the framework that calls an endpoint, by a serializer, by the program itself.
    /// </summary>
    public static bool IsDynamic(string? method) => method?.StartsWith(Dynamic, StringComparison.Ordinal) == true;

    private static KnownCall Loop(string type, string name, string source)
        => new(name, CallMeaning.RunsMessageLoop, source) { Type = type, IsPrefix = true };
}
