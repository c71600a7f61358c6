using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Facts files for the tool to read.</summary>
internal static class SmallFacts
{
    private static readonly LockId s_account = SnapshotBuilder.Monitor(0x1000);
    private static readonly LockId s_audit = SnapshotBuilder.Monitor(0x2000);

    public static ProcessSnapshot Deadlock() => SnapshotBuilder.Linux()
        .Thread(0x1000, "[HelperMethodFrame_1OBJ]", "App.Account.Move()")
        .Thread(0x1001, "[HelperMethodFrame_1OBJ]", "App.Audit.Run()")
        .Lock(s_account, 0x1000).Lock(s_audit, 0x1001).Waits(0x1000, s_audit).Waits(0x1001, s_account).Build();

    public static ProcessSnapshot Idle() => SnapshotBuilder.Linux().Thread(0x1000, "libc!poll+0x4f", "app!main+0x10").Build();

    public static ProcessSnapshot Nothing() => UnknownProcess.Of(TargetOs.Windows, "the dump holds no memory");

    public static string Write(this TemporaryFolder folder, string name, ProcessSnapshot facts)
    {
        using FileStream file = File.Create(folder[name]);
        FactsFile.Write(Case.Of(facts), file);
        return folder[name];
    }
}
