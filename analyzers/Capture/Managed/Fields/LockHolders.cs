using HangTriage.Capture.Managed.Reading;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Fields;

/// <summary>
/// Says which field holds a lock that somebody waits for: a field of an object that a waiter or the owner has on its stack,
/// or a static one of the program's own types that these threads are in. Bounded: it names the locks that a report can speak
/// of, and reads no heap.
/// </summary>
internal sealed class LockHolders(ClrRuntime runtime, IReadOnlyList<ClrThread> threads, CaptureContext context)
{
    // It refers to what a token's callback is called with: the waiter's semaphore, of which it is no name.
    private const string Registration = "System.Threading.CancellationTokenSource+CallbackNode";

    private const string What = "field that holds the lock";
    private const int LockLimit = 64;
    private const int ThreadsPerLock = 4;
    private const int ObjectLimit = 512;
    private const int FrameLimit = 64;

    private readonly Dictionary<uint, IReadOnlyList<(ulong Address, string Name)>> _byThread = [];

    public Known<IReadOnlyList<LockFacts>> Name(Known<IReadOnlyList<LockFacts>> locks, Known<IReadOnlyList<WaitFacts>> waits)
    {
        if (!locks.TryGet(out IReadOnlyList<LockFacts>? all) || !waits.TryGet(out IReadOnlyList<WaitFacts>? known))
        {
            return locks;
        }

        ILookup<LockId, ThreadId> waiters = known.ToLookup(wait => wait.Lock, wait => wait.Thread);
        int left = LockLimit;
        return locks.Select<IReadOnlyList<LockFacts>>(_ => [.. all.Select(@lock => waiters.Contains(@lock.Id) && left-- > 0 ? @lock with { Field = FieldOf(@lock, waiters[@lock.Id]) } : @lock)]);
    }

    private Known<string> FieldOf(LockFacts @lock, IEnumerable<ThreadId> waiters)
    {
        try
        {
            IEnumerable<ThreadId> concerned = @lock.Owner.TryGet(out ThreadId owner) ? waiters.Prepend(owner) : waiters;
            foreach (ThreadId thread in concerned.Take(ThreadsPerLock))
            {
                context.Step();
                if (ReferencesOf(thread).FirstOrDefault(reference => reference.Address == @lock.Id.Address.Value) is { Name: { } name })
                {
                    return Known.Read(name);
                }
            }

            return Known.Unknown<string>(What, "no object that its waiters or its owner have on their stacks refers to it, and no static field of their types");
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return Known<string>.Unknown(Attempt.Failed(What, e));
        }
    }

    private IReadOnlyList<(ulong Address, string Name)> ReferencesOf(ThreadId thread)
    {
        if (!_byThread.TryGetValue(thread.Value, out IReadOnlyList<(ulong Address, string Name)>? references))
        {
            references = threads.FirstOrDefault(candidate => candidate.OSThreadId == thread.Value) is { } found ? ReadOptionally(found) : [];
            _byThread.Add(thread.Value, references);
        }

        return references;
    }

    // A core with the heap alone has not all metadata, and no verdict needs a field's name.
    private IReadOnlyList<(ulong Address, string Name)> ReadOptionally(ClrThread thread)
    {
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        return [.. ReadFields(thread)];
    }

    private IEnumerable<(ulong Address, string Name)> ReadFields(ClrThread thread)
    {
        // A static field names one lock; a field of objects names one in each of them.
        foreach ((ulong Address, string Name) reference in StaticsOf(thread))
        {
            yield return reference;
        }

        IEnumerable<ClrObject> held = StackRoots.Of(thread)
            .Select(root => root.Object)
            .Where(root => root is { IsNull: false, Type: not null } && root.Type.Name != Registration)
            .DistinctBy(root => root.Address)
            .Take(ObjectLimit);
        foreach (ClrObject holder in held)
        {
            foreach ((ulong Address, string Name) reference in FieldNames.ReferencesOf(holder.Address, holder.Type))
            {
                yield return reference;
            }
        }
    }

    private IEnumerable<(ulong Address, string Name)> StaticsOf(ClrThread thread)
        => thread.EnumerateStackTrace().Take(FrameLimit)
            .Select(frame => frame.Method?.Type)
            .OfType<ClrType>()
            .SelectMany(WithOuter)
            .DistinctBy(type => type.MethodTable)
            .SelectMany(type => type.StaticFields.Where(field => field.IsObjectReference)
                .SelectMany(field => runtime.AppDomains.Select(domain => (field.ReadObject(domain).Address, FieldNames.Of(type, field)))))
            .Where(reference => reference.Address != 0);

    // A lambda or a state machine is in a type of the compiler's, within the one that the program wrote.
    private IEnumerable<ClrType> WithOuter(ClrType type)
    {
        yield return type;
        if (type.Name is { } name && name.IndexOf('+', StringComparison.Ordinal) is > 0 and int nested && type.Module?.GetTypeByName(name[..nested]) is { } outer)
        {
            yield return outer;
        }
    }
}
