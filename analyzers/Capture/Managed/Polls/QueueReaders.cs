using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// Finds who takes items from bounded queues, by the calls in the instructions of suspended methods and of those on the stacks, and
/// by the one queue that their objects lead to.
/// </summary>
internal sealed class QueueReaders(IReadOnlyList<ClrThread> threads, ThreadFrames walked, IlModules modules, CaptureContext context)
{
    private const string Collection = "System.Collections.Concurrent.BlockingCollection";
    private const string OfChannels = "System.Threading.Channels.";
    private const int MostReaders = 256;
    private const int MostFrames = 64;

    private static readonly string[] s_takes = [Collection + ".Take", Collection + ".TryTake", Collection + ".GetConsumingEnumerable", Collection + ".GetConsumingPartitioner"];
    private static readonly string[] s_reads =
    [
        OfChannels + "ChannelReader.ReadAsync", OfChannels + "ChannelReader.ReadAllAsync", OfChannels + "ChannelReader.WaitToReadAsync", OfChannels + "ChannelReader.TryRead",
    ];

    private readonly Dictionary<(ulong Module, int Method), bool> _known = [];

    public IReadOnlyList<QueueReaderFacts> Read(ClrHeap heap, IReadOnlyList<FlowGrouping> flows)
        => [.. threads.Select(OfThread).Concat(flows.Select(flow => OfFlow(heap, flow.Sample))).OfType<QueueReaderFacts>().Take(MostReaders)];

    private QueueReaderFacts? OfThread(ClrThread thread)
    {
        ClrStackFrame[] frames = [.. walked.Of(thread).Where(frame => frame.Method?.Type is not null).Take(MostFrames)];
        int reads = Array.FindIndex(frames, frame => modules.Of(frame.Method) is { } module && Calls(module, frame.Method!.MetadataToken, s_takes));
        if (reads <= 0 || frames.Take(reads).Any(frame => frame.Method!.Type!.Name?.StartsWith(Collection, StringComparison.Ordinal) == true && frame.Method.Name != "MoveNext"))
        {
            return null;
        }

        ThreadStack stack = ThreadStack.Read(thread, walked, context);
        ulong[] queues = [.. stack.RootsOf(frames[reads]).SelectMany(WithFields).Select(CollectionOf).Select(found => found.Reference("_freeNodes").Address).Where(found => found != 0).Distinct()];
        return queues is [ulong only] ? new QueueReaderFacts { Queue = new Address(only), Thread = new ThreadId(thread.OSThreadId), Method = ManagedStack.MethodName(frames[reads].Method)! } : null;
    }

    private QueueReaderFacts? OfFlow(ClrHeap heap, FlowBox flow)
    {
        if (flow.Method is not { MoveNextToken: not 0 and int token } method || modules.Of(method.Machine) is not { } module || !Calls(module, token, s_reads))
        {
            return null;
        }

        ClrObject[] held = [.. StateMachine.Held(heap.GetObject(flow.Address))];
        ulong[] queues = Channels(held) is { Length: > 0 } own ? own : Channels(held.SelectMany(WithFields));
        return queues is [ulong only] ? new QueueReaderFacts { Queue = new Address(only), Flow = new Address(flow.Address), Method = method.Name } : null;
    }

    // The enumerator that it goes over, or a reader in a variable, tells more than the fields of the object that it is a method of.
    private static ulong[] Channels(IEnumerable<ClrObject> held)
        => [.. held.Select(ChannelOf).Where(found => !found.IsNull && found.Has("_bufferedCapacity")).Select(found => found.Address).Distinct()];

    private bool Calls(IlModule module, int method, string[] names)
    {
        if (!_known.TryGetValue((module.Address, method), out bool calls))
        {
            calls = module.Body(method).Any(instruction => instruction.IsCall
                && module.Names.Member(instruction.Operand)?.FullName is { } called && Array.Exists(names, name => called.StartsWith(name, StringComparison.Ordinal)));
            _known.Add((module.Address, method), calls);
        }

        return calls;
    }

    private static IEnumerable<ClrObject> WithFields(ClrObject found) => ObjectFields.ReferencesOf(found).Prepend(found);

    // Its enumerator leads to it.
    private static ClrObject CollectionOf(ClrObject found)
    {
        ClrObject around = found.Type?.Name?.StartsWith(Collection, StringComparison.Ordinal) == true && found.Has("<>4__this") ? found.Reference("<>4__this") : found;
        return around.Type?.Name?.StartsWith(Collection, StringComparison.Ordinal) == true ? around : default;
    }

    private static ClrObject ChannelOf(ClrObject found)
    {
        if (found.Type?.Name?.StartsWith(OfChannels, StringComparison.Ordinal) != true)
        {
            return default;
        }

        ClrObject reader = found.Has("<>4__this") ? found.Reference("<>4__this") : found;
        return reader.Has("_parent") ? reader.Reference("_parent") : reader;
    }
}
