using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Capture.Windows;

/// <summary>Public dumps of real Windows machines, and what is known of them.</summary>
public sealed class SharedDumpTests
{
    private const string Unknown = "unknown";

    private static string PathOf(string folder, string name)
    {
        if (Repository.SharedData is not { } shared)
        {
            Skip.Because("the folder of public dumps is not there");
            throw new InvalidOperationException();
        }

        return Path.Combine(shared, folder, name);
    }

    private static ProcessSnapshot Capture(string name) => TargetFile.Capture(PathOf("dumps", name), CaptureContext.Default);

    [Theory]
    [InlineData("crashpad-electron-x64-w11.dmp", TargetArchitecture.X64, 22631, 19, 42, "electron.exe", "free")]
    [InlineData("tiny-x64-w11-cet.dmp", TargetArchitecture.X64, 22000, 1, 25, "tiny.exe", "free")]
    [InlineData("sigsegv-x64-w10-datasegs.dmp", TargetArchitecture.X64, 16299, 1, 4, "sigsegv.exe", "free")]
    [InlineData("electron-x64-w10-14threads.dmp", TargetArchitecture.X64, 14393, 14, 58, "electron.exe", Unknown)]
    [InlineData("fastfail-x64-w10.dmp", TargetArchitecture.X64, 19042, 4, 21, "tiny.exe", Unknown)]
    [InlineData("unreal-x64-w10-59threads.dmp", TargetArchitecture.X64, 17134, 59, 128, "MyProject.exe", Unknown)]
    [InlineData("chrome-x86-w7-39threads.dmp", TargetArchitecture.X86, 7601, 39, 107, "chrome.exe", Unknown)]
    [InlineData("notepad-x86-w7.dmp", TargetArchitecture.X86, 7601, 1, 22, "notepad.exe", Unknown)]
    [InlineData("notepad-wow64-w7.dmp", TargetArchitecture.X64, 7601, 1, 5, "notepad.exe", Unknown)]
    [InlineData("heldcs-x86-w7.dmp", TargetArchitecture.X86, 7600, 2, 26, "crashme.exe", Unknown)]
    public void Each_dump_says_what_is_known_of_it(
        string name, TargetArchitecture architecture, uint build, int threads, int modules, string process, string loaderLock)
    {
        ProcessSnapshot snapshot = Capture(name);
        Assert.Equal(architecture, snapshot.Target.Architecture);
        Assert.Equal(build, snapshot.Target.OsBuild.Value);
        Assert.Equal(threads, snapshot.Threads.Value.Count);
        Assert.Equal(modules, snapshot.Modules.Value.Count);
        Assert.Equal(process, snapshot.Target.ProcessName.Value);
        Assert.True(snapshot.Target.CapturedAt.Value >= snapshot.Target.StartedAt.Value);
        Assert.All(snapshot.Threads.Value, t => Assert.NotEmpty(t.Stack.Frames));
        Assert.Null(snapshot.Managed);
        Assert.Equal(loaderLock, StateOf(snapshot));
    }

    [Theory]
    [InlineData("invalid-range.dmp")]
    [InlineData("invalid-record-count.dmp")]
    [InlineData("linux-breakpad.dmp")]
    [InlineData("macos.dmp")]
    [InlineData("microdump.txt")]
    public void What_is_not_of_Windows_is_refused_in_one_line(string name)
    {
        string path = PathOf("not-windows", name);
        string message = Assert.Throws<TargetOpenException>(() => TargetFile.Capture(path, CaptureContext.Default)).Message;
        Assert.DoesNotContain('\n', message);
        Assert.True(message.Length > 20);
    }

    [Fact]
    public void Thread_names_come_from_the_dump()
        => Assert.Contains(
            Capture("crashpad-electron-x64-w11.dmp").Threads.Value, t => t.Name.Value == "ThreadPoolForegroundWorker");

    [Theory]
    [InlineData("electron-x64-w10-14threads.dmp", true)]
    [InlineData("crashpad-electron-x64-w11.dmp", false)]
    public void No_thread_of_these_dumps_waits_for_or_owns_the_loader(string name, bool hasFlags)
        => Assert.All(
            Capture(name).Threads.Value,
            t =>
            {
                TebFacts teb = t.Teb!.Value;
                Assert.False(teb.WaitingOnLoaderLock.Value);
                Assert.Equal(hasFlags, teb.IsLoadOwner.HasValue);
                Assert.False(teb.IsLoadOwner.Is(isOwner => isOwner));
            });

    [Fact]
    public void A_process_of_32_bits_in_64_bit_Windows_is_told_apart()
        => Assert.Contains(Capture("notepad-wow64-w7.dmp").Gaps, g => g.Why.Contains("WoW64", StringComparison.Ordinal));

    /// <summary>In Windows 10 and 11 the loader lock's debug record has empty links; ntdll's data leads into the list.</summary>
    [Theory]
    [InlineData("sigsegv-x64-w10-datasegs.dmp", true)]
    [InlineData("tiny-x64-w11-cet.dmp", false)]
    [InlineData("crashpad-electron-x64-w11.dmp", false)]
    public void The_list_of_sections_is_walked_where_ntdlls_data_is_there(string name, bool isWalked)
    {
        ProcessSnapshot snapshot = Capture(name);
        Gap gap = snapshot.Gaps.Single(g => g.What == "critical sections");
        Assert.Equal(
            isWalked ? "the memory of 2 that are listed is not in the dump"
                : "the loader lock is not in the list of them, and no other of its records is found in ntdll's data",
            gap.Why);
        Assert.Empty(snapshot.Windows!.Locks.Value);
    }

    /// <summary>rcx, rdi and r14 of each such thread hold one handle, and the dump says that it is an event's.</summary>
    [Fact]
    public void Threads_in_a_wait_are_joined_with_their_handles()
    {
        ProcessSnapshot snapshot = Capture("crashpad-electron-x64-w11.dmp");
        Assert.Equal(302, snapshot.Windows!.Handles.Value.Count);
        Assert.Equal(91, snapshot.Windows.Handles.Value.Count(handle => handle.Type.Is(type => type == "Event")));
        IReadOnlyList<WaitFacts> waits = snapshot.Windows.Waits.Value;
        Assert.Equal(11, waits.Count);
        Assert.All(waits, wait =>
        {
            Assert.Equal((WaitKind.Signal, LockKind.Event, Trust.Scanned), (wait.Kind, wait.Lock.Kind, wait.Trust));
            Assert.Equal("register rcx and register rdi and register r14 at the system call", wait.Source);
        });
        Assert.Equal(147, Capture("tiny-x64-w11-cet.dmp").Windows!.Handles.Value.Count);
    }

    [Theory]
    [InlineData("unreal-x64-w10-59threads.dmp", "NtWaitForSingleObject", 44)]
    [InlineData("unreal-x64-w10-59threads.dmp", "NtWaitForMultipleObjects", 5)]
    [InlineData("electron-x64-w10-14threads.dmp", "NtWaitForSingleObject", 3)]
    public void The_code_at_a_threads_place_says_which_system_call_it_is_in(string name, string call, int threads)
    {
        ProcessSnapshot snapshot = Capture(name);
        Assert.Equal(threads, snapshot.Threads.Value.Count(t => t.SystemCall!.Value.Name.Is(text => text == call)));
        Assert.All(snapshot.Threads.Value, t => Assert.Equal(Trust.Read, t.SystemCall!.Value.Number.Trust));
    }

    [Fact]
    public void A_thread_that_crashed_in_its_own_code_is_in_no_system_call()
        => Assert.Null(Capture("fastfail-x64-w10.dmp").Threads.Value[0].SystemCall);

    /// <summary>A section on the stack at 0x37fa7c is held, and its LockCount counts nobody: that is no hang.</summary>
    [Fact]
    public void A_section_that_is_held_and_that_nobody_waits_for_is_no_wait()
    {
        ProcessSnapshot snapshot = Capture("heldcs-x86-w7.dmp");
        Assert.Equal(1192u, snapshot.Threads.Value[0].OsId.Value);
        Assert.Equal(9, snapshot.Threads.Value[0].Stack.Frames.Count);
        Assert.False(snapshot.Windows!.Waits.Is(waits => waits.Count > 0));
        Assert.False(snapshot.Windows.Locks.HasValue);
    }

    [Theory]
    [InlineData("chrome-x86-w7-39threads.dmp", 39)]
    [InlineData("notepad-x86-w7.dmp", 1)]
    public void Stacks_of_32_bit_threads_lead_to_their_start_by_frame_pointers(string name, int walked)
    {
        ProcessSnapshot snapshot = Capture(name);
        Assert.Equal(walked, snapshot.Threads.Value.Count(t => t.Stack.Frames.Count > 2));
        Assert.All(snapshot.Threads.Value, t => Assert.All(t.Stack.Frames.Skip(1), f => Assert.Equal(Trust.Scanned, f.Trust)));
        Assert.All(snapshot.Threads.Value, t => Assert.True(t.Teb!.HasValue));
        Assert.Equal(0x7EFD_E000UL, snapshot.Windows!.Peb.Value.Value);
    }

    /// <summary>The same program, dumped by a 64-bit writer without its 32-bit registers: nothing of the 64-bit side is taken for it.</summary>
    [Fact]
    public void The_64_bit_side_of_a_32_bit_process_is_not_taken_for_the_applications()
    {
        ProcessSnapshot snapshot = Capture("notepad-wow64-w7.dmp");
        Assert.False(snapshot.Windows!.Peb.HasValue);
        Assert.False(snapshot.Windows.LoaderLock.HasValue);
        Assert.False(snapshot.Windows.Locks.HasValue);
        Assert.False(snapshot.Windows.Waits.HasValue);
        Assert.Contains("the application's registers are not in the dump", snapshot.Threads.Value[0].Stack.Stopped?.Why, StringComparison.Ordinal);
    }

    private static string StateOf(ProcessSnapshot snapshot)
        => !snapshot.Windows!.LoaderLock.TryGet(out LockFacts? section) || !section.IsHeld.TryGet(out bool isHeld) ? Unknown
            : isHeld ? "held"
            : "free";
}
