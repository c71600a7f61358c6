namespace HangTriage.Tests.Support.Samples;

public static class DumpKinds
{
    public static IReadOnlyList<DumpKind> All { get; } = Enum.GetValues<DumpKind>();

    /// <summary>As expected.json and the table have it.</summary>
    public static string Name(this DumpKind kind) => kind switch
    {
        DumpKind.Full => "full",
        DumpKind.Heap => "heap",
        DumpKind.Mini => "mini",
        DumpKind.Windows => "windows",
        _ => "windows-on-linux",
    };

    public static bool IsCore(this DumpKind kind) => kind is DumpKind.Full or DumpKind.Heap or DumpKind.Mini;

    /// <summary>What the verdict on a .NET program rests on is not in it, or cannot be read there.</summary>
    public static bool IsBlind(this DumpKind kind) => kind is DumpKind.Mini or DumpKind.WindowsOnLinux;
}
