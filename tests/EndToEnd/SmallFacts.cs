using HangTriage.Facts;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Facts files for the tool to read.</summary>
internal static class SmallFacts
{
    public static ProcessSnapshot Deadlock() => FactsBuilder.Linux().WithDotNet()
        .Thread(0).Managed(1).Holds(FactsBuilder.Monitor(1)).WaitsFor(FactsBuilder.Monitor(2)).Frames("[HelperMethodFrame_1OBJ]", "App.Account.Move()")
        .Thread(1).Managed(2).Holds(FactsBuilder.Monitor(2)).WaitsFor(FactsBuilder.Monitor(1)).Frames("[HelperMethodFrame_1OBJ]", "App.Audit.Run()").Build();

    public static ProcessSnapshot Idle() => FactsBuilder.Linux().Thread(0).Frames("libc!poll+0x4f", "app!main+0x10").Build();

    public static ProcessSnapshot Nothing() => FactsBuilder.Windows().UnknownThroughout("the dump holds no memory").Build();

    public static string Write(this TemporaryFolder folder, string name, ProcessSnapshot facts)
    {
        using FileStream file = File.Create(folder[name]);
        FactsFile.Write(facts, file);
        return folder[name];
    }
}
