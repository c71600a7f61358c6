using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Reading;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Facts.Time;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Requests;

/// <summary>Lists the requests over HTTP that are under way, by the async methods of Kestrel and HttpClient that work on them.</summary>
internal sealed class RequestReader(ClrRuntime runtime, FlowInventory flows, RequestHandlers handlers, CaptureContext context)
{
    private const string What = "requests under way";
    private const string Client = "System.Net.Http.HttpClient.";

    /// <param name="runtime">The runtime.</param>
    /// <param name="roots">The stacks and handles.</param>
    /// <param name="flows">The suspended methods; null where they were not read.</param>
    /// <param name="ofTimers">The moment of the capture on the clock of timers; null where it is not known.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    public static Known<RequestsFacts>? Read(
        ClrRuntime runtime, Lazy<RuntimeRoots> roots, FlowInventory? flows, ClockFacts? ofTimers, CaptureContext context)
    {
        if (flows is null)
        {
            return null;
        }

        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        return Attempt.Read(
            What, () => Known.Read(new RequestReader(runtime, flows, new RequestHandlers(flows, roots), context).Read(ofTimers)));
    }

    private RequestsFacts Read(ClockFacts? ofTimers)
    {
        Dictionary<FlowMethod, RequestKind?> kinds = [];
        List<Found> found = [];
        for (int index = 0; index < flows.Boxes.All.Count; index++)
        {
            if (index % 1_024 == 0)
            {
                context.Step();
            }

            FlowBox box = flows.Boxes.All[index];
            if (KindOf(box, kinds) is { } kind && (box.State < 0 || !IsListWhole || handlers.IsKept(box)) && Of(box, kind) is { } request)
            {
                found.Add(request);
            }
        }

        bool serves = kinds.ContainsValue(RequestKind.Served);
        if (serves)
        {
            HashSet<ulong> known = [.. found.Select(request => request.Protocol.Address)];
            found.AddRange(handlers.OnStacks().Where(request => !known.Contains(request.Protocol.Address))
                .Select(request => new Found(RequestKind.Served, request.Protocol, request.Context, default, null, request.Thread)));
        }

        RequestClock clock = new(runtime, ofTimers, found.Select(request => request.Protocol).Where(protocol => !protocol.IsNull));
        RequestFacts[] requests =
        [
            .. found.Select(request => Describe(request, clock)).OfType<RequestFacts>()
                .OrderByDescending(request => request.Since?.AtLeast ?? TimeSpan.MinValue),
        ];
        return new RequestsFacts([.. requests.Take(context.Limits.Requests)], Math.Max(0, requests.Length - context.Limits.Requests));
    }

    // Groups beyond the limit are left out, and with them the methods that nothing can continue cannot be distinguished.
    private bool IsListWhole => flows.IsWhole && flows.Groups.Count < context.Limits.FlowGroups;

    private static RequestKind? KindOf(FlowBox box, Dictionary<FlowMethod, RequestKind?> kinds)
    {
        if (box.Method is not { } method)
        {
            return null;
        }

        if (!kinds.TryGetValue(method, out RequestKind? kind))
        {
            kind = KestrelCalls.IsRequest(method.Name) ? RequestKind.Served
                : method.Name.StartsWith(Client, StringComparison.Ordinal) ? RequestKind.Sent
                : null;
            kinds.Add(method, kind);
        }

        return kind;
    }

    private Found? Of(FlowBox box, RequestKind kind)
    {
        (ulong Address, string Name)[] variables = [.. FlowVariables.Of(runtime.Heap, box)];
        return kind == RequestKind.Sent
            ? Named(variables, "cts") is { IsNull: false } source
                ? new Found(kind, default, source, Named(variables, "request"), box, null)
                : null
            : Named(variables, "<>4__this") is { IsNull: false } protocol && RequestObject.Is(protocol)
                // A connection without a request waits for the next one.
                && Named(variables, "context") is { IsNull: false } holder ? new Found(kind, protocol, holder, default, box, null)
            : null;
    }

    private ClrObject Named((ulong Address, string Name)[] variables, string name)
    {
        ulong address = variables
            .FirstOrDefault(found => found.Name == name || found.Name.StartsWith($"<{name}>5__", StringComparison.Ordinal)).Address;
        return address == 0 ? default : runtime.Heap.GetObject(address);
    }

    private RequestFacts? Describe(Found request, RequestClock clock)
    {
        RequestState? state = request.Kind == RequestKind.Sent ? RequestState.Unanswered : RequestObject.StateOf(request.Protocol);
        if (state is not { } known)
        {
            return null;
        }

        (ThreadId? thread, Address? flow) = request.Box is { } box ? handlers.Of(box) : (request.Thread, null);
        return new RequestFacts
        {
            Kind = request.Kind,
            State = known,
            Method = request.Kind == RequestKind.Sent
                ? RequestObject.MethodOfMessage(request.Message)
                : RequestObject.MethodOf(request.Protocol),
            Route = request.Kind == RequestKind.Sent ? null : RequestObject.RouteOf(request.Protocol),
            Since = clock.Of(request.Holder),
            Thread = thread,
            Flow = flow,
        };
    }

    private sealed record Found(RequestKind Kind, ClrObject Protocol, ClrObject Holder, ClrObject Message, FlowBox? Box, ThreadId? Thread);
}
