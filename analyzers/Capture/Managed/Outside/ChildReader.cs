using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>Reads System.Diagnostics.Process, the same on .NET 8, 9 and 10 on every system.</summary>
internal static class ChildReader
{
    public const string Type = "System.Diagnostics.Process";
    private const string WaitAsync = "System.Diagnostics.Process.WaitForExitAsync";
    private const string WaitState = "System.Diagnostics.ProcessWaitState";

    /// <summary>The child that a thread waits for the end of, by the objects of its frames, innermost first.</summary>
    public static Known<ChildFacts> Awaited(IReadOnlyList<ClrObject> objects)
    {
        ClrObject process = objects.FirstOrDefault(IsProcess);
        ClrObject state = objects.FirstOrDefault(found => found.Type?.Name == WaitState);
        return !process.IsNull ? Known.Read(Read(process))
            : !state.IsNull ? Known.Read(new ChildFacts { Id = IdOf(state), Unread = Known.Unknown<UnreadOutput>("redirected output of the child", "its Process object was not found on the stack") })
            : Known.Unknown<ChildFacts>("child that the thread waits for", "its object was not found on the stack");
    }

    /// <summary>The child whose end an async method waits for; null for another method.</summary>
    public static Known<ChildFacts>? AwaitedBy(ClrObject task)
        => StateMachine.IsBox(task) && TaskObject.Method(task) == WaitAsync
            ? Attempt.Read("child process", () => StateMachine.This(task) is { IsNull: false } process
                ? Known.Read(Read(process))
                : Known.Unknown<ChildFacts>("child that is waited for", "the method does not hold it"))
            : null;

    /// <summary>The child whose output one of these streams is; null where no Process among the objects has it.</summary>
    public static Known<ChildFacts>? WithOutput(IReadOnlyList<ClrObject> objects, IReadOnlySet<ulong> streams)
    {
        ClrObject process = objects.FirstOrDefault(found => IsProcess(found)
            && (streams.Contains(StreamOf(found, "_standardOutput")) || streams.Contains(StreamOf(found, "_standardError"))));
        return process.IsNull ? null : Known.Read(Read(process));
    }

    private static bool IsProcess(ClrObject found) => StackObjects.Is(found, Type);

    private static ulong StreamOf(ClrObject process, string reader) => process.Reference(reader).Reference("_stream").Address;

    /// <summary>The child of a Process object; null for one that has started none, or whose child is known to have ended.</summary>
    public static ChildFacts? Of(ClrObject process)
        => process.Type?.GetFieldByName("_exited")?.Read<bool>(process.Address, interior: false) == true ? null
            : Read(process) is { Id.HasValue: true } child ? child
            : null;

    private static ChildFacts Read(ClrObject process) => new() { Id = IdOf(process), Unread = UnreadOf(process), IsInputOpen = IsInputOpen(process) };

    // A writer that is closed has no stream to give back any more than one that was never made.
    private static bool IsInputOpen(ClrObject process)
        => process.Reference("_standardInput") is { IsNull: false } input
            && input.Type?.GetFieldByName("_disposed")?.Read<bool>(input.Address, interior: false) == false;

    private static Known<uint> IdOf(ClrObject owner)
        => owner.Number("_processId") is > 0 and int id ? Known.Read((uint)id) : Known.Unknown<uint>("process id of the child", "its object has none");

    private static Known<UnreadOutput> UnreadOf(ClrObject process)
    {
        ClrObject start = process.Reference("_startInfo");
        return (IsUnread(process, start, "Output", "_outputStreamReadMode"), IsUnread(process, start, "Error", "_errorStreamReadMode")) switch
        {
            ({ } output, { } errors) => Known.Read((output ? UnreadOutput.Output : UnreadOutput.None) | (errors ? UnreadOutput.Errors : UnreadOutput.None)),
            _ => Known.Unknown<UnreadOutput>("redirected output of the child", "its Process object has other fields than those that are known"),
        };
    }

    // StreamReadMode: 0 until the reader is first asked for, or BeginOutputReadLine called.
    private static bool? IsUnread(ClrObject process, ClrObject start, string stream, string mode)
        => start.Type?.GetFieldByName($"<RedirectStandard{stream}>k__BackingField") is { ElementType: ClrElementType.Boolean } redirects
            && process.Type!.GetFieldByName(mode) is { } read
                ? redirects.Read<bool>(start.Address, interior: false) && read.Read<int>(process.Address, interior: false) == 0
                : null;
}
