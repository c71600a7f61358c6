using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Owners of the loader that wait or are gone.</summary>
internal static class LoaderCases
{
    private const uint Owner = 0x11;
    private const uint Waiter = 0x12;

    private static readonly string[] s_callout =
        ["ntdll!NtWaitForSingleObject", "KERNELBASE!WaitForSingleObject", "plugin!stop_worker", "ntdll!", "ntdll!LdrUnloadDll", "KERNELBASE!FreeLibrary", "app!quit"];

    private static readonly string[] s_ends = ["ntdll!NtWaitForSingleObject", "ntdll!", "ntdll!LdrShutdownThread", "ntdll!RtlExitUserThread"];
    private static readonly string[] s_starts = ["ntdll!NtWaitForSingleObject", "ntdll!", "ntdll!LdrInitializeThunk"];
    private static readonly string[] s_loads = ["ntdll!NtWaitForSingleObject", "ntdll!", "ntdll!LdrLoadDll", "app!load"];

    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            ("DllMain joins a thread that has moved", Moment.Both(SnapshotBuilder.Windows, (builder, moment) =>
                Callout(builder, moment, s_ends, hasMoved: true).Joins(Owner, Waiter))),
            ("DllMain waits, and a thread has moved", Moment.Both(SnapshotBuilder.Windows, (builder, moment) => Callout(builder, moment, s_ends, hasMoved: true))),
            ("DllMain joins a thread, by a guessed handle", Moment.Alone(SnapshotBuilder.Windows, (builder, moment) =>
                Callout(builder, moment, s_ends).Joins(Owner, Waiter, Trust.Scanned))),
            ("DllMain waits while another thread loads", Moment.Alone(SnapshotBuilder.Windows, (builder, moment) => Callout(builder, moment, s_loads))),
            ("abandoned load, one of two waiters has moved", Moment.Both(SnapshotBuilder.Windows, (builder, moment) => builder
                .Thread(Owner, moment.Thread(), moment.At(s_loads, hasMoved: true)).Thread(Waiter, moment.Thread(), s_starts))),
            ("abandoned load", Case.Of(SnapshotBuilder.Windows().Thread(Waiter, s_starts).Build())),
            ("abandoned load, the waiter guessed", Case.Of(SnapshotBuilder.Windows().Thread(Waiter, new ThreadOptions { ScannedFrom = 1 }, s_starts).Build())),
        ];

    private static SnapshotBuilder Callout(SnapshotBuilder builder, Moment moment, string[] waiter, bool hasMoved = false)
        => builder
            .Thread(Owner, moment.Thread(), s_callout)
            .Thread(Waiter, moment.Thread(), moment.At(waiter, hasMoved))
            .LoaderLock(Owner);
}
