using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>Says of each awaited object what it stands for, each object once.</summary>
internal sealed class AwaitedResolver(
    TargetWords words, FlowBoxes boxes, SemaphoreNodes semaphores, ChannelOperations channels, Resumptions resumptions)
{
    // Faulted, cancelled, ran to completion.
    private const int Ended = 0x160_0000;

    private const int MostSteps = 64;

    private readonly Dictionary<ulong, Awaited> _known = [];
    private readonly Dictionary<ClrType, AwaitedType> _types = [];

    public Awaited Of(ulong address) => Of(address, MostSteps);

    /// <summary>Of a method that is about to continue: nothing.</summary>
    public Awaited Of(FlowBox flow) => resumptions.Contains(flow.Address) ? Awaited.Nothing : Of(flow.Awaited);

    private Awaited Of(ulong address, int steps)
    {
        if (address == 0)
        {
            return Awaited.Nothing;
        }

        if (!_known.TryGetValue(address, out Awaited? awaited))
        {
            awaited = words.TypeOf(address) is { } type ? Read(address, TypeOf(type), steps) : new Awaited(FlowWaitKind.Unknown, address, null);
            _known.Add(address, awaited);
        }

        return awaited;
    }

    private AwaitedType TypeOf(ClrType type)
    {
        if (!_types.TryGetValue(type, out AwaitedType? known))
        {
            known = AwaitedType.Of(type);
            _types.Add(type, known);
        }

        return known;
    }

    private Awaited Read(ulong address, AwaitedType type, int steps)
    {
        Awaited plain = new(FlowWaitKind.Task, address, type.Name) { IsCompleted = IsCompleted(address, type) };
        return type.Shape switch
        {
            AwaitedShape.Box => OfMethod(plain, boxes.Find(address), steps),
            AwaitedShape.Iterator => OfMethod(plain, boxes.FindByMachine(address), steps),
            AwaitedShape.Unwrap when boxes.FindBefore(address) is { } begun
                => OfMethod(plain with { Address = begun.Address }, begun, steps),
            AwaitedShape.SemaphoreNode => OfSemaphore(plain),
            AwaitedShape.Delay => OfDelay(plain, type),
            AwaitedShape.Wrapper when steps > 0 && words.Reference(address, type.Inner) is not 0 and ulong inner => Limit(Of(inner, steps - 1), plain, type),
            AwaitedShape.WhenAll => plain with { Kind = FlowWaitKind.WhenAll },
            AwaitedShape.WhenAny => plain with { Kind = FlowWaitKind.WhenAny },
            AwaitedShape.ChannelOperation => OfChannel(plain, type),
            AwaitedShape.PipeEnd => plain with
            {
                Kind = FlowWaitKind.Pipe,
                Address = words.Reference(address, type.Inner) is not 0 and ulong pipe ? pipe : address,
                Type = "System.IO.Pipelines.Pipe",
                End = type.IsWriter ? FlowQueueEnd.Writer : FlowQueueEnd.Reader,
            },
            AwaitedShape.PeriodicTimer => plain with { Kind = FlowWaitKind.Timer, Timed = address },
            AwaitedShape.InputOutput => plain with { Kind = FlowWaitKind.InputOutput },
            AwaitedShape.Custom => plain with { Kind = FlowWaitKind.Custom },
            _ => plain,
        };
    }

    private bool IsCompleted(ulong address, AwaitedType type)
        => type.Flags >= 0 ? (words.Number(address, type.Flags) & Ended) != 0
            : type.Completed >= 0 && (words.Number(address, type.Completed) & 0xFF) != 0;

    // What the base library's own methods wait for is what their caller waits for.
    private Awaited OfMethod(Awaited plain, FlowBox? box, int steps)
    {
        Awaited method = plain with { Kind = FlowWaitKind.AsyncMethod, Method = box?.Method?.Name ?? StateMachine.MethodOf(plain.Type!) ?? StateMachine.MethodOfMachine(plain.Type!) ?? plain.Type };
        return box is { Method.IsOfBaseLibrary: true, State: >= 0, Awaited: not 0 and ulong awaited } && steps > 0
            ? Of(awaited, steps - 1) with { Via = method.Method }
            : method;
    }

    private Awaited OfSemaphore(Awaited plain)
    {
        ulong semaphore = semaphores.Of(plain.Address);
        return plain with
        {
            Kind = FlowWaitKind.Semaphore,
            Address = semaphore == 0 ? plain.Address : semaphore,
            Type = semaphore == 0 ? plain.Type : words.TypeOf(semaphore)?.Name,
        };
    }

    private Awaited OfChannel(Awaited plain, AwaitedType type)
        => channels.Of(plain.Address) is { } owner
            ? plain with { Kind = FlowWaitKind.Channel, Address = owner.Channel, Type = words.TypeOf(owner.Channel)?.Name, End = owner.End }
            : plain with
            {
                Kind = FlowWaitKind.Channel,
                End = type.IsWriter ? FlowQueueEnd.Writer : FlowQueueEnd.Reader,
                IsCompleted = plain.IsCompleted || resumptions.Contains(plain.Address),
            };

    private Awaited OfDelay(Awaited plain, AwaitedType type)
    {
        bool hasTimer = words.Reference(plain.Address, type.Timer) != 0;
        ulong token = words.Reference(plain.Address, type.Registration);
        return plain with
        {
            Kind = hasTimer ? FlowWaitKind.Delay : token != 0 ? FlowWaitKind.CancellationOnly : FlowWaitKind.InfiniteDelay,
            Timed = hasTimer ? plain.Address : 0,
            Token = token,
        };
    }

    private Awaited Limit(Awaited inner, Awaited wrapper, AwaitedType type) => inner with
    {
        IsCompleted = wrapper.IsCompleted,
        Timed = words.Reference(wrapper.Address, type.Timer) != 0 ? wrapper.Address : inner.Timed,
        Token = words.Reference(wrapper.Address, type.Registration) is not 0 and ulong token ? token : inner.Token,
    };
}
