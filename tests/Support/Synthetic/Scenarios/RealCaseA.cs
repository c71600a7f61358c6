namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>
/// The stuck LoadLibrary, with the values that were really met: thread 107 is in LoadLibrary, thread 114 holds the
/// loader lock while it exits and spins in a DLL's thread-detach code, and the lock counts no waiter.
/// </summary>
public sealed class RealCaseA
{
    public const uint OwnerId = 0x6710;
    public const uint VictimId = 0x5B2C;
    public const int OwnerIndex = 114;
    public const int VictimIndex = 107;
    public const uint LoadOwnerId = 0x5B30;
    public const int LoadOwnerIndex = 108;
    private const ushort LoadOwnerFlag = 0x1000;
    private const int ThreadCount = 118;

    private static readonly DateTime s_start = new(2017, 3, 1, 9, 0, 0, DateTimeKind.Utc);
    private static readonly TimeSpan s_age = new(2, 15, 0);
    private static readonly TimeSpan s_spunUser = new(0, 2, 14, 28, 671);
    private static readonly TimeSpan s_spunKernel = TimeSpan.FromSeconds(12.25);

    private readonly RealCaseAOptions _options;
    private readonly SyntheticProcess _process;
    private readonly RealCaseAImages _images;
    private readonly ulong _loaderLock;

    private RealCaseA(RealCaseAOptions options)
    {
        _options = options;
        _process = new SyntheticProcess(new SyntheticProcessInfo { CreatedAt = s_start, UserTime = s_spunUser, KernelTime = s_spunKernel });
        _images = new RealCaseAImages(_process);
        _loaderLock = WriteLoaderLock();
        for (int index = 0; index < ThreadCount; index++)
        {
            AddThread(index);
        }

        Truth = new RealCaseATruth
        {
            LoaderLock = _loaderLock,
            Section = Section,
            Owner = options.IsHeld ? OwnerId : null,
            Victim = options.Victim == RealCaseAVictim.None ? null : VictimId,
            OwnerCpu = options.Owner switch
            {
                RealCaseAOwner.Spins => s_spunUser + s_spunKernel,
                RealCaseAOwner.WaitsForEvent => TimeSpan.FromMilliseconds(15.625),
                _ => null,
            },
            ProcessAge = s_age,
            Frames = _process.Threads.ToDictionary(thread => thread.Id, thread => thread.ExpectedFrames),
        };
        Dump = _process.ToMinidump(Contents).WrittenAt(s_start + s_age);
    }

    /// <summary>The dump, for what the options cannot change.</summary>
    public SyntheticMinidump Dump { get; }

    public RealCaseATruth Truth { get; }

    public byte[] Bytes => Dump.Build();

    private SyntheticContents Contents
        => SyntheticContents.All
            & (_options.HasStacks ? SyntheticContents.All : ~SyntheticContents.Stacks)
            & (_options.HasImages ? SyntheticContents.All : ~SyntheticContents.Images);

    private SyntheticCriticalSection Section => new()
    {
        LockCount = _options.LockCount ?? (!_options.IsHeld ? -1 : _options.Victim == RealCaseAVictim.WaitsForSection || _options.HasOtherLoadOwner ? -6 : -2),
        RecursionCount = _options.IsHeld ? 1 : 0,
        OwningThread = _options.IsHeld ? OwnerId : 0,
        SpinCount = 0x0400_0000,
        DebugInfo = _images.LoaderLockDebug,
    };

    public static RealCaseA Create(RealCaseAOptions? options = null) => new(options ?? new RealCaseAOptions());

    private ulong WriteLoaderLock()
    {
        ulong address = _images.LoaderLock;
        Section.WriteTo(_images.Ntdll.Data, address);
        new SyntheticLockList(_images.Ntdll.Data, _images.LockListHead)
            .Add(_images.Ntdll.Data, _images.LoaderLockDebug, address)
            .Write();
        _process.Peb.LoaderLock(address);
        return address;
    }

    private void AddThread(int index)
    {
        bool isOwner = index == OwnerIndex && _options.Owner != RealCaseAOwner.Gone;
        bool isVictim = index == VictimIndex && _options.Victim != RealCaseAVictim.None;
        bool isLoadOwner = index == LoadOwnerIndex && _options.HasOtherLoadOwner;
        uint id = isOwner ? OwnerId : isVictim ? VictimId : isLoadOwner ? LoadOwnerId : 0x2000 + (4 * (uint)index);
        SyntheticThread thread = _process.Thread(id);
        if (isOwner)
        {
            AddOwner(thread);
        }
        else if (isVictim)
        {
            AddVictim(thread);
        }
        else if (isLoadOwner)
        {
            thread.Teb.SameTebFlags(LoadOwnerFlag).WaitingOnLoaderLock(1);
            _images.WaitForSection(thread, _loaderLock);
        }
        else
        {
            _images.Idle(thread, index);
        }

        thread.Times(_options.HasCpuTimes ? Times(index, isOwner) : null);
    }

    private SyntheticThreadTimes Times(int index, bool isOwner)
    {
        bool spins = isOwner && _options.Owner == RealCaseAOwner.Spins;
        return new SyntheticThreadTimes
        {
            CreatedAt = s_start + TimeSpan.FromMilliseconds(5 + index),
            User = spins ? s_spunUser : TimeSpan.FromMilliseconds(isOwner || index % 3 == 0 ? 15.625 : 0),
            Kernel = spins ? s_spunKernel : TimeSpan.Zero,
            StartAddress = _images.Ntdll["TppWorkerThread"].Address,
        };
    }

    private void AddOwner(SyntheticThread thread)
    {
        if (_options.Owner == RealCaseAOwner.Spins)
        {
            _images.SpinInDetach(thread);
        }
        else
        {
            _images.WaitInDetach(thread);
        }

        thread.Teb.SameTebFlags(_options.OwnerHasLoadOwnerFlag ? LoadOwnerFlag : (ushort)0);
        thread.Teb.OwnedCriticalSections(_options.IsHeld ? 1u : 0u);
    }

    private void AddVictim(SyntheticThread thread)
    {
        if (_options.Victim == RealCaseAVictim.WaitsForSection)
        {
            thread.Teb.WaitingOnLoaderLock(1);
            _images.WaitForSection(thread, _loaderLock);
        }
        else
        {
            _images.WaitForLoadOwner(thread);
        }
    }
}
