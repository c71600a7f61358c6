using System.Runtime.InteropServices;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Emulation;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// Finds the loop of a thread that spins in optimised code, where several methods have one frame: its machine code, run on in a copy of the
/// memory, comes back to the same state, and the fields that decide this are those of one loop alone among the methods that can be there.
/// </summary>
internal sealed class SpunLoop(ClrRuntime runtime, CaptureContext context)
{
    private const int MostThreads = 16;
    private const int MostInstructions = 20_000;
    private const int MostDepth = 4;
    private const int MostMethods = 200;
    private const int MostLevels = 4;

    private int _threads;

    /// <param name="thread">Its thread.</param>
    /// <param name="top">The innermost frame, which is the program's.</param>
    /// <param name="module">The module of its method.</param>
    /// <returns>Null where it does something else than to look, and where it is not certain which loop that is.</returns>
    public (int Method, LoopContent Content)? Of(ClrThread thread, ClrStackFrame top, IlModule module)
    {
        IDataReader reader = runtime.DataTarget.DataReader;
        if (reader.Architecture != Architecture.X64 || top.Method is not { } method || _threads++ >= MostThreads
            || (ContextX64.Whole(reader, thread.OSThreadId, top.InstructionPointer) ?? AfterCall(thread, top)) is not { } registers)
        {
            return null;
        }

        Run run = new(reader, registers, context.Cancellation) { Pauses = IsPause };
        if (run.FindRepeat(MostInstructions) is not { } deciding)
        {
            return null;
        }

        HashSet<(string Type, string Name)> asked = [.. deciding.Memory.Select(FieldAt).OfType<(string, string)>()];
        return asked.Count == 0 ? null : Only(module, method.MetadataToken, asked);
    }

    // It is in native code that the frame has called: of its registers those are known that count when that returns.
    private static byte[]? AfterCall(ClrThread thread, ClrStackFrame top)
        => thread.EnumerateStackTrace(includeContext: true, maxFrames: 1).FirstOrDefault()
                is { Context: { Length: >= ContextX64.Size } context } frame
            && frame.InstructionPointer == top.InstructionPointer
            && BitConverter.ToUInt64(context[ContextX64.Rip..]) == top.InstructionPointer
                ? context.ToArray() : null;

    // The runtime's own code, too, is called from such a loop to pause: what else it does for it, the instructions of the loop tell.
    private bool IsPause(ulong address)
        => (runtime.ClrInfo.ModuleInfo is { ImageSize: > 0 and var size, ImageBase: var image } && address - image < (ulong)size)
            || runtime.GetMethodByInstructionPointer(address)
                is { Type.Name: DotNetTypes.Thread, Name: "SpinWait" or "Sleep" or "Yield" };

    // The methods that may be compiled into this one, level by level: the loop of the last level that has one is the innermost.
    private static (int Method, LoopContent Content)? Only(IlModule module, int method, HashSet<(string Type, string Name)> asked)
    {
        (int Method, LoopContent Content)[] found = [];
        HashSet<int> seen = [method];
        int[] level = [method];
        for (int depth = 0; depth < MostDepth && level.Length > 0 && seen.Count < MostMethods; depth++)
        {
            (int Method, LoopContent Content)[] here = [.. level.SelectMany(one => LoopsOf(module, one, asked))];
            found = here.Length > 0 ? here : found;
            level = [.. level.SelectMany(one => Inlined(module, one)).Where(seen.Add)];
        }

        return found is [var only] ? only : null;
    }

    private static IEnumerable<(int Method, LoopContent Content)> LoopsOf(
        IlModule module, int method, HashSet<(string Type, string Name)> asked)
    {
        IReadOnlyList<IlInstruction> body = module.Body(method);
        return IlLoops.Longest(body)
            .Select(loop => new LoopScan(module) { LeavesForGood = true }.Read(body, loop))
            .Where(content => content is { Calls.Count: 0, Computes: false }
                && asked.All(field => content.Fields.Any(read => read.Type == field.Type && read.Name == field.Name)))
            .Select(content => (method, content));
    }

    private static IEnumerable<int> Inlined(IlModule module, int method)
        => module.Body(method).Where(instruction => instruction.IsCall)
            .Select(call => module.Names.Member(call.Operand)).OfType<IlMember>()
            .Where(called => called.IsOwn && module.CanBeInlined(called.Definition))
            .Select(called => called.Definition);

    // Of a value in an object, the field that lies innermost. Null for what is no object's.
    private (string Type, string Name)? FieldAt(ulong address)
    {
        if (runtime.Heap.GetSegmentByAddress(address) is null
            || runtime.Heap.FindPreviousObjectOnSegment(address + 1, carefully: true) is not { IsValid: true, Type: { } type } found)
        {
            return null;
        }

        (string Type, string Name)? innermost = null;
        ClrType? around = type;
        ulong start = found.Address;
        for (int level = 0; level < MostLevels && around is not null; level++)
        {
            bool isInterior = level > 0;
            ClrInstanceField? field = around.Fields.FirstOrDefault(own => own.GetAddress(start, isInterior) is var at
                && address >= at && address - at < (ulong)Math.Max(own.Size, 1));
            if (field is null)
            {
                break;
            }

            innermost = (NameBrackets.Without((field.ContainingType ?? around).Name ?? string.Empty), field.Name ?? string.Empty);
            start = field.GetAddress(start, isInterior);
            around = field is { IsValueType: true, IsPrimitive: false } ? field.Type : null;
        }

        return innermost;
    }
}
