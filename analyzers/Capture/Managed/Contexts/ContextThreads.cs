using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Contexts;

/// <summary>
/// Finds the thread of a synchronization context. Windows Forms and WPF contexts name it. Any other context is one thread's
/// only if it is the current one of just one thread, and that thread runs its loop or the context holds that thread.
/// </summary>
internal sealed class ContextThreads(IReadOnlyList<ThreadStack> stacks, RuntimeHandles handles)
{
    private const string UnnamedContext = "SynchronizationContext";

    // Thread::TS_InSTA.
    private const int ApartmentIsSta = 0x4000;

    private readonly Dictionary<ulong, ContextThread?> _known = [];

    /// <summary>The contexts that are some thread's current one, each once.</summary>
    public IEnumerable<ClrObject> Current
        => stacks.Select(stack => CurrentOf(stack.Thread)).Where(current => !current.IsNull).DistinctBy(current => current.Address);

    /// <summary>Null where no thread, or more than one, may run what is posted to it.</summary>
    public ContextThread? Of(ClrObject context)
    {
        if (!_known.TryGetValue(context.Address, out ContextThread? thread))
        {
            thread = Named(context) ?? Concluded(context);
            _known.Add(context.Address, thread);
        }

        return thread;
    }

    public IReadOnlyList<UiThreadFacts> Facts()
        =>
        [
            .. from context in Current
               let found = Of(context)
               where found is not null && CurrentOf(found.Thread).Address == context.Address
               select new UiThreadFacts
               {
                   Thread = new ThreadId(found.Thread.OSThreadId),
                   Context = new Address(context.Address),
                   ContextType = context.Type?.Name ?? UnnamedContext,
                   Loop = found.Loop,
                   IsSta = ((int)found.Thread.State & ApartmentIsSta) != 0,
                   Trust = found.Trust,
                   Source = found.Source,
               },
        ];

    private ClrObject CurrentOf(ClrThread thread) => handles.ThreadObject(thread).Reference("_synchronizationContext");

    private ContextThread? Named(ClrObject context)
    {
        ClrObject owner = context.Type?.Name switch
        {
            "System.Windows.Forms.WindowsFormsSynchronizationContext" =>
                Strong(context.Reference("_destinationThreadRef", "destinationThreadRef", "_destinationThread")),
            "System.Windows.Threading.DispatcherSynchronizationContext" => context.Reference("_dispatcher").Reference("_dispatcherThread"),
            _ => default,
        };
        return StackOf(owner) is { } stack
            ? new ContextThread(stack.Thread, Loop(stack, []), Trust.Read, "the context names its thread")
            : null;
    }

    private ContextThread? Concluded(ClrObject context)
    {
        ThreadStack[] current = [.. stacks.Where(stack => CurrentOf(stack.Thread).Address == context.Address)];
        if (current is not [ThreadStack only])
        {
            return null;
        }

        ClrObject[] parts = [.. context.EnumerateReferences().Where(part => part.Type is not null)];
        string[] types = [.. parts.Prepend(context).Select(part => part.Type!.Name).OfType<string>().Where(IsUserType).Distinct()];
        string? loop = Loop(only, types);
        bool holdsThread = parts.Any(part => StackOf(part) == only);
        return loop is not null ? new ContextThread(only.Thread, loop, Trust.Derived, $"it is the thread's current one, and the thread is in {loop}")
            : holdsThread ? new ContextThread(only.Thread, null, Trust.Derived, "it is the thread's current one, and holds the thread")
            : null;
    }

    /// <summary>The outermost method of the context, of what it is made of, or of a user interface's framework that the thread is in.</summary>
    private static string? Loop(ThreadStack stack, string[] types)
        => stack.Frames
            .Select(frame => frame.Method)
            .OfType<ClrMethod>()
            .Where(method => method.Name is not ("Send" or "Post"))
            .Select(method => (Type: method.Type?.Name ?? string.Empty, Name: ManagedStack.MethodName(method) ?? string.Empty))
            .LastOrDefault(method => types.Contains(method.Type) || Frameworks.Loops.Find(method.Name) is not null)
            .Name;

    private static bool IsUserType(string type) => !Frameworks.IsOfBaseLibrary(type);

    private ThreadStack? StackOf(ClrObject thread)
        => thread.Type?.Name == ThreadObjects.TypeName && ThreadObjects.NativeThread(thread) is ulong native and not 0
            ? stacks.FirstOrDefault(stack => stack.Thread.Address == native)
            : null;

    /// <summary>The target of a WeakReference: its handle carries marks in the low bits.</summary>
    private static ClrObject Strong(ClrObject reference)
    {
        if (reference.IsNull || reference.Type!.Name == ThreadObjects.TypeName)
        {
            return reference;
        }

        foreach (string name in new[] { "_taggedHandle", "m_handle" })
        {
            ClrHeap heap = reference.Type.Heap;
            IDataReader reader = heap.Runtime.DataTarget.DataReader;
            if (reference.Type.GetFieldByName(name) is { } field
                && reader.ReadPointer(field.GetAddress(reference.Address), out ulong handle)
                && reader.ReadPointer(handle & ~3ul, out ulong target))
            {
                return heap.GetObject(target);
            }
        }

        return default;
    }
}
