using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// Finds threads that are under a lock in a loop which neither a count nor the end of a collection ends, and those whose loops all end for
/// certain: from the innermost call out to the protected block whose end gives the lock back.
/// </summary>
internal sealed class LockedLoops(IlModules modules, ThreadFrames walked)
{
    private const int MostFrames = 64;

    /// <returns>
    /// Null for a thread that is in no loop, or under no lock that its code is seen to give back, or in a loop of neither kind.
    /// </returns>
    public LockedLoopFacts? Of(ClrThread thread)
    {
        ClrMethod? counting = null;
        bool areAllLimited = true;
        ClrStackFrame[] frames = [.. walked.Of(thread).Where(frame => frame.Kind == ClrStackFrameKind.ManagedMethod).Take(MostFrames)];
        ClrMethod? looping = null;
        for (int index = 0; index < frames.Length; index++)
        {
            // What the framework does in its own loops ends, or waits and shows that.
            if (frames[index].Method is not { } method || Frameworks.IsOwn(method.Type?.Name ?? string.Empty))
            {
                continue;
            }

            ulong place = index == 0 ? frames[index].InstructionPointer : frames[index].InstructionPointer - 1;
            if (modules.Of(method) is not { } module || module.Body(method.MetadataToken) is not { Count: > 0 } body)
            {
                return null;
            }

            // A method that was compiled anew in its loop has no map: it is in one of its loops.
            int[] places = SourceLines.IlOffset(method, place) is { } at ? [at] : [.. IlLoops.WaitLoops(body).Select(loop => loop.Start).DefaultIfEmpty()];
            int? locked = places.Select(known => Locked(module, method.MetadataToken, body, known)).Max();
            IlLimits limits = new(body, module.Clauses(method.MetadataToken), module.Names.Member);
            bool?[] ends = [.. places.Select(known => limits.EndsAround(known, locked ?? 0))];
            areAllLimited &= ends.All(end => end != false);
            counting ??= ends.Any(end => end == true) ? method : null;
            looping ??= ends.All(end => end != false)
                || places.All(known => IlBounds.EndsByItself(module, body, known, from: locked ?? 0)) ? null : method;
            if (locked is not null)
            {
                return looping is not null ? Facts(thread, looping, isLimited: false)
                    : areAllLimited && counting is not null ? Facts(thread, counting, isLimited: true)
                    : null;
            }
        }

        return null;
    }

    private static LockedLoopFacts Facts(ClrThread thread, ClrMethod looping, bool isLimited)
        => new() { Thread = new ThreadId(thread.OSThreadId), Method = $"{looping.Type?.Name}.{looping.Name}", IsLimited = isLimited };

    // Where the innermost protected block around the place begins whose end gives a lock back.
    private static int? Locked(IlModule module, int method, IReadOnlyList<IlInstruction> body, int at)
        => module.Clauses(method)
            .Where(clause => !clause.Catches && clause.Protects(at))
            .Where(clause => body.Any(instruction => instruction.IsCall && instruction.Offset >= clause.Start && instruction.End <= clause.End && GivesBack(module, instruction)))
            .Select(clause => (int?)clause.TryStart)
            .Max();

    private static bool GivesBack(IlModule module, IlInstruction call)
        => PollCalls.Find(module.Names.Member(call.Operand)?.FullName) == PollCall.GivesBack;
}
