using System.Runtime.InteropServices;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Rounds;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>
/// Proves from one capture that a loop has no end: its machine code, run on in a copy of the memory, comes back to a state that it was in,
/// and nobody else's code sets what decides that.
/// </summary>
internal sealed class RepeatReader(IlModules modules, CaptureContext context)
{
    private const int MostThreads = 8;
    private const int MostInstructions = 1_000_000;
    private const ulong MostOfStack = 8UL << 20;

    private int _threads;

    /// <param name="thread">A thread in managed code.</param>
    /// <param name="frames">Its stack, the innermost first.</param>
    /// <returns>Null where it does not come back, where others may change its course, and where that is not known.</returns>
    public WorkRepeat? Of(ClrThread thread, IReadOnlyList<ClrStackFrame> frames)
    {
        IDataReader reader = thread.Runtime.DataTarget.DataReader;
        if (reader.Architecture != Architecture.X64 || frames is not [{ Kind: ClrStackFrameKind.ManagedMethod } top, ..]
            || ContextX64.Whole(reader, thread.OSThreadId, top.InstructionPointer) is not { } registers || _threads++ >= MostThreads)
        {
            return null;
        }

        Run run = new(reader, registers, context.Cancellation);
        if (run.FindRepeat(MostInstructions) is not { } deciding
            || frames.FirstOrDefault(frame => frame.StackPointer == run.Trace.OutermostStack) is not { Method: { } method } loop
            || ManagedStack.MethodName(method) is not { } name
            || (deciding.Memory.Any(address => !IsOfStack(thread, top, address)) && !IsClosed(thread.Runtime, run, method, loop)))
        {
            return null;
        }

        return new WorkRepeat(name, run.Visits, run.Trace.Count);
    }

    private static bool IsOfStack(ClrThread thread, ClrStackFrame top, ulong address)
        => address < (thread.StackBase > top.StackPointer ? thread.StackBase : top.StackPointer + MostOfStack)
            && address + MostOfStack > top.StackPointer;

    private bool IsClosed(ClrRuntime runtime, Run run, ClrMethod method, ClrStackFrame loop)
    {
        RunFields fields = new(isOneState: run.Visits == 1);
        foreach (ClrMethod executed in Methods(runtime, run.Executed))
        {
            if (executed.Type?.Name is not { } type)
            {
                return false;
            }

            if (Frameworks.IsOwn(type))
            {
                if (!RunFields.IsClosed(NameBrackets.Without(type), executed.Name ?? string.Empty))
                {
                    return false;
                }
            }
            else if (modules.Of(executed) is { } module && ClosedCode.IsReadable(module, executed.MetadataToken))
            {
                IReadOnlyList<IlInstruction> body = module.Body(executed.MetadataToken);
                fields.Add(module, executed.MetadataToken, executed.MethodDesc == method.MethodDesc
                    ? IlLoops.InstructionsAround(body, SourceLines.IlOffset(method, loop.InstructionPointer)) : body);
            }
            else
            {
                return false;
            }
        }

        return !fields.AreSetByOthers;
    }

    private static IEnumerable<ClrMethod> Methods(ClrRuntime runtime, IEnumerable<ulong> addresses)
    {
        HashSet<ulong> seen = [];
        HotColdRegions? last = null;
        foreach (ulong address in addresses.Order())
        {
            if (last is { } known && address - known.HotStart < known.HotSize)
            {
                continue;
            }

            if (runtime.GetMethodByInstructionPointer(address) is { } method)
            {
                last = method.HotColdInfo;
                if (seen.Add(method.MethodDesc))
                {
                    yield return method;
                }
            }
        }
    }
}
