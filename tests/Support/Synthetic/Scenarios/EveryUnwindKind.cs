namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>
/// Threads that no unwinder walks by luck: frames of every kind that x64 unwind data can say, each with the thread in
/// the body, and the thread behind each single instruction of the prologs and epilogs.
/// </summary>
public sealed class EveryUnwindKind
{
    private const string Start = "RtlUserThreadStart";

    private readonly SyntheticImage _image;
    private readonly SyntheticImage _ntdll;
    private uint _nextId = 0x100;

    private EveryUnwindKind()
    {
        Process = new SyntheticProcess();
        _image = Process.Image(UnwindKinds.Image());
        _ntdll = Process.Image(WindowsImages.Ntdll());
        AddLongChain();
        AddAlloca();
        foreach (SyntheticFunction function in _image.Functions.Where(function => function.Prolog is not null))
        {
            AddBoundaries(function);
        }

        AddInterrupted();
    }

    public SyntheticProcess Process { get; }

    public static EveryUnwindKind Create() => new();

    // One thread through all functions, so that each restores what the next needs.
    private void AddLongChain()
    {
        SyntheticThread thread = NewThread().StackSize(0x20_0000).InFunction(_ntdll, "NtYieldExecution");
        foreach (SyntheticFunction function in _image.Functions.Where(function => function.Prolog is not null))
        {
            thread.CalledFrom(_image, function.Name);
        }

        End(thread);
    }

    private void AddAlloca()
    {
        SyntheticThread thread = NewThread().InFunction(_ntdll, "NtYieldExecution");
        foreach (SyntheticFunction function in _image.Functions.Where(function => function.FrameProlog is not null))
        {
            thread.CalledFrom(_image, function.Name, null, frame => frame.Alloca(0x340));
        }

        End(thread);
    }

    private void AddBoundaries(SyntheticFunction function)
    {
        List<int> offsets = [0, .. function.Prolog!.Operations.Select(step => step.EndOffset)];
        foreach (int start in function.Prolog.FurtherEpilogs.Append(function.EpilogOffset))
        {
            offsets.AddRange(UnwindKinds.EpilogBoundaries(function, start));
        }

        foreach (int offset in offsets.Distinct())
        {
            End(NewThread().StackSize(0x10_0000)
                .InFunction(_image, function.Name, offset)
                .CalledFrom(_image, "PushesAll"));
        }
    }

    // A machine frame on top of a leaf, and of a prolog: the address below is not one that a call returns to.
    private void AddInterrupted()
    {
        End(NewThread().InFunction(_ntdll, "NtYieldExecution").CalledFrom(_image, "Interrupted")
            .CalledFrom(_image, "Leaf", 3).CalledFrom(_image, "PushesAll"));
        End(NewThread().InFunction(_ntdll, "NtYieldExecution").CalledFrom(_image, "InterruptedWithErrorCode")
            .CalledFrom(_image, "PushesAll", 3).CalledFrom(_image, "PushesAll"));
    }

    private SyntheticThread NewThread() => Process.Thread(_nextId += 4);

    private void End(SyntheticThread thread) => thread.CalledFrom(_ntdll, Start);
}
