using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Window messages and calls that get no answer.</summary>
internal static class AnswerCases
{
    private static readonly LockId s_section = SnapshotBuilder.Section(0xa000);
    private static readonly string[] s_sends = ["win32u!NtUserMessageCall", "user32!SendMessageW", "app!save"];
    private static readonly string[] s_enter = ["ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "app!paint", "user32!", "user32!DispatchMessageW", "app!main"];
    private static readonly string[] s_calls = ["ntdll!NtAlpcSendWaitReceivePort", "rpcrt4!", "rpcrt4!NdrClientCall3", "app!refresh"];

    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            ("message and lock in a circle, the sender has moved", Moment.Both(SnapshotBuilder.Windows, (builder, moment) => Held(builder, moment, moment.At(s_sends, hasMoved: true)))),
            ("call without an answer, seen twice", Moment.Both(SnapshotBuilder.Windows, (builder, moment) => Held(builder, moment, s_calls))),
        ];

    private static SnapshotBuilder Held(SnapshotBuilder builder, Moment moment, string[] owner)
        => builder
            .Thread(0x11, moment.Thread(), s_enter)
            .Thread(0x12, moment.Thread(), owner)
            .Lock(s_section, 0x12, "app.exe+0x10").Waits(0x11, s_section);
}
