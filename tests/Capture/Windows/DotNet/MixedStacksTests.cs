using HangTriage.Capture.Windows.DotNet;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Windows.DotNet;

/// <summary>The two halves of a thread's stack, joined.</summary>
public sealed class MixedStacksTests
{
    private static readonly StackFacts s_managed = new(
        [
            Runtime("InlinedCallFrame", 0x1a8),
            Managed("Monitor.Enter", 0x180),
            Managed("Program.Work", 0x200),
            Runtime("DebuggerU2MCatchHandlerFrame", 0x380),
        ],
        null);

    [Fact]
    public void Native_frames_lie_above_the_method_that_called_out_and_its_markers()
    {
        StackFacts native = new([Native("ntdll", 0x100, Trust.Read), Native("coreclr", 0x140), Jitted(0x180), Native("guess", 0x300, Trust.Scanned)], null);

        StackFacts joined = MixedStacks.Join(native, s_managed);

        Assert.Equal(
            ["ntdll", "coreclr", "InlinedCallFrame", "Monitor.Enter", "Program.Work", "DebuggerU2MCatchHandlerFrame"], Names(joined));
        Assert.Equal(Trust.Read, joined.Frames[0].Trust);
        Assert.All(joined.Frames.Skip(1), frame => Assert.Equal(Trust.Derived, frame.Trust));
        Assert.Null(joined.Stopped);
    }

    [Fact]
    public void A_precompiled_method_is_there_once_and_native_frames_below_stay_where_they_were_unwound()
    {
        StackFacts native = new(
            [Native("ntdll", 0x100, Trust.Read), Native("corelib", 0x180), Native("app", 0x200), Native("coreclr start", 0x300), Native("ntdll start", 0x400)], null);

        Assert.Equal(
            ["ntdll", "InlinedCallFrame", "Monitor.Enter", "Program.Work", "coreclr start", "DebuggerU2MCatchHandlerFrame", "ntdll start"],
            Names(MixedStacks.Join(native, s_managed)));
    }

    [Fact]
    public void A_thread_that_runs_managed_code_has_no_native_frame_on_top()
        => Assert.Equal(["Loop.Run"], Names(MixedStacks.Join(new([Jitted(0x100)], null), new([Managed("Loop.Run", 0x100)], null))));

    [Fact]
    public void Frames_that_were_not_found_between_the_halves_are_a_gap()
    {
        StackFacts native = new([Native("ntdll", 0x100, Trust.Read), Native("guess", 0x140, Trust.Scanned)], null);

        Assert.Contains("0x140", MixedStacks.Join(native, s_managed).Stopped?.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_thread_without_managed_frames_keeps_its_native_stack()
    {
        StackFacts native = new([Native("ntdll", 0x100, Trust.Read), Native("guess", 0x140, Trust.Scanned)], new Gap("rest of the stack", "why"));

        Assert.Same(native, MixedStacks.Join(native, new StackFacts([], null)));
    }

    private static IEnumerable<string?> Names(StackFacts stack) => stack.Frames.Select(frame => frame.Method);

    private static FrameFacts Native(string name, ulong sp, Trust trust = Trust.Derived) => Frame(name, sp, FrameKind.Native, trust);

    private static FrameFacts Jitted(ulong sp) => Frame(null, sp, FrameKind.Unknown, Trust.Derived);

    private static FrameFacts Managed(string name, ulong sp) => Frame(name, sp, FrameKind.Managed, Trust.Derived);

    private static FrameFacts Runtime(string name, ulong sp) => Frame(name, sp, FrameKind.Runtime, Trust.Read);

    private static FrameFacts Frame(string? name, ulong sp, FrameKind kind, Trust trust)
        => new() { Ip = new Address(0x7ff600000000 + sp), Sp = new Address(sp), Kind = kind, Trust = trust, Method = name };
}
