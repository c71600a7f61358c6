using HangTriage.Capture.Managed.Blocks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Contexts;

/// <summary>The runtime's handle table, read once: what handles lead to, and the Thread object of each thread.</summary>
internal sealed class RuntimeHandles
{
    private const int HandleLimit = 1_000_000;

    private const string Services = "Microsoft.Extensions.DependencyInjection.ServiceProvider";

    private readonly HashSet<ulong> _objects = [];
    private readonly Dictionary<ulong, ClrObject> _threads = [];
    private readonly HashSet<ulong> _strong = [];

    private readonly HashSet<ulong> _native = [];

    /// <summary>There are more handles than were read.</summary>
    public bool IsCut { get; private set; }

    /// <summary>A handle of any kind, weak ones too: whoever has it can get at the object.</summary>
    public bool LeadsTo(ulong address) => _objects.Contains(address);

    /// <summary>A handle that keeps the object alive.</summary>
    public bool Keeps(ulong address) => _strong.Contains(address);

    /// <summary>Native code may have the object: a strong handle, or one of any kind to a delegate, which can be called by it.</summary>
    public bool IsNative(ulong address) => _native.Contains(address);

    /// <summary>A null object where no managed code has asked for it.</summary>
    public ClrObject ThreadObject(ClrThread thread) => _threads.GetValueOrDefault(thread.Address);

    public static RuntimeHandles Read(ClrRuntime runtime, CaptureContext context)
    {
        RuntimeHandles handles = new();
        IEnumerable<RuntimeHandle> all = HandleTables.Read(runtime, out bool areAll);
        int seen = 0;
        foreach (RuntimeHandle handle in all)
        {
            if (++seen > HandleLimit)
            {
                handles.IsCut = true;
                break;
            }

            if (seen % 4_096 == 0)
            {
                context.Step();
            }

            if (!handle.Object.IsNull)
            {
                handles.Add(handle);
            }
        }

        handles.IsCut |= !areAll;
        return handles;
    }

    private void Add(RuntimeHandle handle)
    {
        ClrObject target = handle.Object;
        if (handle.IsStrong)
        {
            _strong.Add(target.Address);
            _native.Add(target.Address);
        }
        else if (target.IsDelegate)
        {
            _native.Add(target.Address);
        }
        else if (handle.Kind == ClrHandleKind.Dependent)
        {
            _strong.Add(handle.Dependent.Address);
        }

        if (target.Type?.Name == ThreadObjects.TypeName && ThreadObjects.NativeThread(target) is ulong native)
        {
            _threads[native] = target;
        }
        else if (!(handle.Kind is ClrHandleKind.WeakShort or ClrHandleKind.WeakLong && IsNoted(target)))
        {
            _objects.Add(target.Address);
            _objects.Add(handle.Dependent.Address);
        }
    }

    // The event source of a container of services has that to write down what is registered, and a token has what was sent to a block of
    // Dataflow to call that off: neither brings anything.
    private static bool IsNoted(ClrObject target) => target.Type?.Name == Services || StuckBlocks.IsSent(target);
}
