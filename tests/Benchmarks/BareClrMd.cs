using HangTriage.Tests.Support;

namespace HangTriage.Benchmarks;

/// <summary>What reading a core costs with ClrMD alone: the measure for cores of .NET. Published as the tool is.</summary>
internal static class BareClrMd
{
    private static bool s_made;

    private static string Folder => Path.Combine(Benchmarks.Folder, "bare");

    public static void Make(TextWriter progress)
    {
        if (!s_made)
        {
            progress.WriteLine("publishing the bare ClrMD program");
            PublishedTool.Publish(Path.Combine(Repository.Root, "tests", "Benchmarks", "Targets", "BareClrMd"), Folder);
            s_made = true;
        }
    }

    /// <summary>Every managed stack and its roots.</summary>
    public static WholeProcess Stacks(string core) => new([Path.Combine(Folder, "BareClrMd"), "stacks", core], LastGoodCode: 0);

    /// <summary>Every object of the heap, on one thread.</summary>
    public static WholeProcess Heap(string core) => new([Path.Combine(Folder, "BareClrMd"), "heap", core], LastGoodCode: 0);
}
