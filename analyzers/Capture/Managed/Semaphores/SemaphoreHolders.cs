using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Semaphores;

/// <summary>
/// Finds who has an entry of a SemaphoreSlim, which records no owner: a thread or a suspended async method in a part of a method that is
/// run with one, and gives it back behind that.
/// </summary>
internal sealed class SemaphoreHolders(IlModules modules, ThreadFrames walked)
{
    private const int MostFlows = 20_000;
    private readonly SemaphoreSections _sections = new();

    /// <summary>The semaphores of which the thread has an entry, among these.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="waits">What it waits for itself; 0 for nothing.</param>
    /// <param name="semaphores">Those that matter.</param>
    public IReadOnlySet<ulong> Of(ClrThread thread, ulong waits, IReadOnlySet<ulong> semaphores)
    {
        ClrStackFrame[] own =
        [
            .. walked.Of(thread).Where(frame => frame.Kind == ClrStackFrameKind.ManagedMethod && modules.Of(frame.Method) is not null),
        ];
        // Its own code that waits has not entered it there.
        (ClrStackFrame Frame, SemaphoreSection[] Sections)[] inside =
        [
            .. own.Skip(semaphores.Contains(waits) ? 1 : 0).Select(frame => (frame, SectionsAt(frame)))
                .Where(pair => pair.Item2.Length > 0),
        ];
        if (inside.Length == 0)
        {
            return new HashSet<ulong>();
        }

        ILookup<ulong, HeldObject> roots = StackRoots.ByFrame(thread);
        return inside
            .SelectMany(pair => pair.Sections.Select(section => Only(
                section, pair.Frame.Method!.Type, [.. roots[pair.Frame.StackPointer].Select(root => root.Object)], semaphores)))
            .OfType<ulong>().ToHashSet();
    }

    /// <summary>The suspended async methods that have an entry of one of these, with the semaphore.</summary>
    /// <param name="flows">The async methods.</param>
    /// <param name="heap">The heap.</param>
    /// <param name="semaphores">Those that matter.</param>
    public IEnumerable<(ulong Semaphore, FlowBox Flow, SemaphoreSection Section)> Of(
        IEnumerable<FlowBox> flows, ClrHeap heap, IReadOnlySet<ulong> semaphores)
        => from flow in flows.Where(flow => flow.State >= 0).Take(MostFlows)
           from section in SectionsAt(flow)
           let semaphore = Only(section, flow.Method!.Machine, [heap.GetObject(flow.Address)], semaphores)
           where semaphore is not null
           select (semaphore.Value, flow, section);

    private SemaphoreSection[] SectionsAt(ClrStackFrame frame)
    {
        IlModule module = modules.Of(frame.Method)!;
        IReadOnlyList<SemaphoreSection> all = _sections.Of(module, frame.Method!.MetadataToken);
        return all.Count > 0 && SourceLines.IlOffset(frame.Method, frame.InstructionPointer - 1) is { } at
            ? [.. all.Where(section => section.Has(at))]
            : [];
    }

    private SemaphoreSection[] SectionsAt(FlowBox flow)
        => flow.Method is { MoveNextToken: not 0 and int token } method && modules.Of(method.Machine) is { } module
            && _sections.Of(module, token) is { Count: > 0 } all
            && FlowPolls.AwaitOf(module, module.Body(token), flow.State) is { } at
                ? [.. all.Where(section => section.Has(at))]
                : [];

    // Of several that the same field of several objects holds, it is not known which.
    private static ulong? Only(SemaphoreSection section, ClrType type, IReadOnlyList<ClrObject> held, IReadOnlySet<ulong> semaphores)
        => held.SelectMany(found => StateMachine.Held(found).Prepend(found)).SelectMany(found => OfObject(section, found))
            .Append(OfStatic(section, type))
            .Where(semaphores.Contains).Distinct().ToArray() is [var only] ? only : null;

    private static IEnumerable<ulong> OfObject(SemaphoreSection section, ClrObject found)
        => section.Field is null ? IsSemaphore(found) ? [found.Address] : []
            : ObjectFields.ReferencesOf(found).Prepend(found)
                .Select(holder => FieldOf(holder, section)).Where(held => held != 0);

    private static ulong OfStatic(SemaphoreSection section, ClrType type)
        => section.Type is { } declaring && type.Module.AppDomain is { } domain
            && type.Module.GetTypeByName(declaring)?.GetStaticFieldByName(section.Name!) is { IsObjectReference: true } field
            && field.IsInitialized(domain)
            ? field.ReadObject(domain).Address
            : 0;

    private static bool IsSemaphore(ClrObject found) => found.Type?.Name == DotNetTypes.SemaphoreSlim;

    private static ulong FieldOf(ClrObject holder, SemaphoreSection section)
        => holder.Type?.GetFieldByName(section.Name!) is { IsObjectReference: true } found
            && section.Field!.StartsWith(Plain(found.ContainingType.Name), StringComparison.Ordinal)
            && holder.ReadObjectField(found.Name!) is var held && IsSemaphore(held)
            ? held.Address
            : 0;

    // IL has the names of generic types without what these are made for.
    private static string Plain(string? type)
        => type is null ? "\0"
            : type.IndexOfAny(['<', '`']) is > 0 and int end ? type[..end]
            : type;
}
