namespace HangTriage.Tests.Support.Synthetic;

/// <summary>
/// An x64 Windows process: images, threads, PEB, TEBs, heap. It becomes a <see cref="SyntheticMinidump"/>.
/// <code>
/// SyntheticProcess process = new();
/// SyntheticImage ntdll = process.Image(WindowsImages.Ntdll());
/// SyntheticImage app = process.Image(new SyntheticImage(@"C:\app.exe", 0x1_4000_0000)
///     .Function("wait", 0x80, exported: true, prolog => prolog.Push(Register.Rbx).Alloc(0x30)));
/// SyntheticThread thread = process.Thread(0x6710).Named("worker")
///     .InFunction(ntdll, "NtWaitForSingleObject")
///     .CalledFrom(app, "wait", 0x20, frame => frame.Set(Register.Rbx, 0x44))
///     .CalledFrom(ntdll, "RtlUserThreadStart");
/// byte[] dump = process.ToMinidump().Build();
/// </code>
/// </summary>
public sealed class SyntheticProcess
{
    internal const ulong StackStride = 0x20_0000;

    private const ulong PebAddress = 0x0000_0053_1F2A_0000;
    private const ulong FirstTeb = PebAddress + 0x1000;
    private const ulong FirstStackBase = 0x0000_0053_2020_0000;
    private const ulong HeapAddress = 0x0000_01D4_6B20_0000;

    private readonly List<SyntheticImage> _images = [];
    private readonly List<SyntheticThread> _threads = [];
    private readonly List<SyntheticMemory> _heap = [];
    private ulong _nextHeap = HeapAddress;

    public SyntheticProcess(SyntheticProcessInfo? info = null, SyntheticSystem? system = null)
    {
        Info = info ?? new SyntheticProcessInfo();
        System = system ?? new SyntheticSystem();
        Peb.OsVersion(System.Major, System.Minor, (ushort)System.Build);
    }

    public SyntheticProcessInfo Info { get; }

    public SyntheticSystem System { get; }

    public SyntheticPeb Peb { get; } = new(PebAddress);

    public IReadOnlyList<SyntheticImage> Images => _images;

    public IReadOnlyList<SyntheticThread> Threads => _threads;

    /// <summary>Loads an image. The first one is the program.</summary>
    public SyntheticImage Image(SyntheticImage image)
    {
        if (_images.Count == 0)
        {
            Peb.ImageBase(image.Base);
        }

        _images.Add(image);
        return image;
    }

    /// <summary>Starts a thread. The order is that of the dump's thread list.</summary>
    public SyntheticThread Thread(uint id)
    {
        ulong index = (ulong)_threads.Count;
        SyntheticTeb teb = new(FirstTeb + (index * SyntheticTeb.Size), Info.Pid, id, Peb.Address);
        SyntheticThread thread = new(id, teb, FirstStackBase + (index * StackStride));
        _threads.Add(thread);
        return thread;
    }

    /// <summary>Allocates memory; an address that is not given is chosen, and always the same.</summary>
    public SyntheticMemory Allocate(int size, ulong? address = null)
    {
        SyntheticMemory memory = new(address ?? _nextHeap, size);
        _heap.Add(memory);
        _nextHeap += address is null ? ((ulong)size + 0xFFFF) & ~0xFFFFUL : 0;
        return memory;
    }

    /// <summary>The dump of this process, which the caller may change further before it is built.</summary>
    public SyntheticMinidump ToMinidump(SyntheticContents contents = SyntheticContents.All)
    {
        SyntheticMinidump dump = new SyntheticMinidump().System(System).Process(Info);
        foreach (SyntheticThread thread in _threads)
        {
            StackLayout layout = thread.Lay();
            dump.Thread(thread.ToRecord(layout, contents.HasFlag(SyntheticContents.Stacks)));
            AddIf(SyntheticContents.Stacks, layout.Stack);
            AddIf(SyntheticContents.Blocks, thread.Teb.Memory);
        }

        AddIf(SyntheticContents.Blocks, Peb.Memory);
        _heap.ForEach(memory => AddIf(SyntheticContents.Heap, memory));
        foreach (SyntheticImage image in _images)
        {
            dump.Module(image.ToModule());
            AddIf(SyntheticContents.Images, image.ToMemory());
            if (!contents.HasFlag(SyntheticContents.Images))
            {
                AddIf(SyntheticContents.ImageData, image.Data);
            }
        }

        return dump;

        void AddIf(SyntheticContents needed, SyntheticMemory memory)
        {
            if (contents.HasFlag(needed))
            {
                dump.Memory(memory);
            }
        }
    }
}
