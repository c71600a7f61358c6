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
        ClrStackFrame[] frames = [.. walked.Of(thread).Where(frame => frame.Kind == ClrStackFrameKind.ManagedMethod).Take(MostFrames)];
        List<Place> under = [];
        for (int index = 0; index < frames.Length && under is not [.., { Locked: not null }]; index++)
        {
            // What the framework does in its own loops ends, or waits and shows that.
            if (frames[index].Method is not { } method || Frameworks.IsOwn(method.Type?.Name ?? string.Empty))
            {
                continue;
            }

            ulong at = index == 0 ? frames[index].InstructionPointer : frames[index].InstructionPointer - 1;
            if (PlaceOf(method, at) is not { } place)
            {
                return null;
            }

            under.Add(index > 0 && IsStateMachine(frames[index - 1].Method) ? place with { MakesNext = true } : place);
        }

        return under is [.., { Locked: not null }] ? Facts(thread, under) : null;
    }

    private static LockedLoopFacts? Facts(ClrThread thread, List<Place> under)
    {
        (Place Place, bool?[] Ends)[] looked = [.. under.Select(place => (place, place.Ends()))];
        string[] open = [.. looked.Where(pair => pair.Ends.Contains(false) && !pair.Place.EndsLoosely()).Select(pair => NameOf(pair.Place.Method))];
        return open is [var innermost, .. var around]
                ? new LockedLoopFacts { Thread = IdOf(thread), Method = innermost, Around = around.Length == 0 ? null : around }
            : looked.All(pair => !pair.Ends.Contains(false)) && looked.FirstOrDefault(pair => pair.Ends.Contains(true)).Place is { } limited
                ? new LockedLoopFacts { Thread = IdOf(thread), Method = NameOf(limited.Method), IsLimited = true }
            : null;
    }

    // Null where the method's code is not in the input.
    private Place? PlaceOf(ClrMethod method, ulong at)
    {
        if (modules.Of(method) is not { } module || module.Body(method.MetadataToken) is not { Count: > 0 } body)
        {
            return null;
        }

        // A method that was compiled anew in its loop has no map: it is in one of its loops.
        int[] offsets = SourceLines.IlOffset(method, at) is { } known
            ? [known] : [.. IlLoops.WaitLoops(body).Select(loop => loop.Start).DefaultIfEmpty()];
        return new Place(module, method, body, offsets, offsets.Select(offset => Locked(module, method.MetadataToken, body, offset)).Max());
    }

    private static bool IsStateMachine(ClrMethod? method)
        => method is { Name: "MoveNext", Type.Name: { } type }
            && MadeTypes.IsMachine(type) && !Frameworks.IsOwn(type);

    private static ThreadId IdOf(ClrThread thread) => new(thread.OSThreadId);

    private static string NameOf(ClrMethod looping) => $"{looping.Type?.Name}.{looping.Name}";

    // Where the innermost protected block around the place begins whose end gives a lock back.
    private static int? Locked(IlModule module, int method, IReadOnlyList<IlInstruction> body, int at)
        => module.Clauses(method)
            .Where(clause => !clause.Catches && clause.Protects(at))
            .Where(clause => body.Any(instruction => instruction.IsCall && clause.Handles(instruction) && GivesBack(module, instruction)))
            .Select(clause => (int?)clause.TryStart)
            .Max();

    private static bool GivesBack(IlModule module, IlInstruction call)
        => PollCalls.Find(module.Names.Member(call.Operand)?.FullName) == PollCall.GivesBack;

    /// <param name="Module">The module of the method.</param>
    /// <param name="Method">A method on the stack.</param>
    /// <param name="Body">Its instructions.</param>
    /// <param name="Offsets">Where the thread is in it, or may be.</param>
    /// <param name="Locked">Where the block begins whose end gives back the lock; null where it is in none.</param>
    private sealed record Place(IlModule Module, ClrMethod Method, IReadOnlyList<IlInstruction> Body, int[] Offsets, int? Locked)
    {
        /// <summary>It is asked for the next item of what a method of the program gives out one by one, which is at work on it.</summary>
        public bool MakesNext { get; init; }

        /// <summary>Of each place whether all loops around it end by themselves; null for no loop.</summary>
        public bool?[] Ends()
        {
            IReadOnlyList<IlInstruction> body = IsStateMachine(Method) ? IlHoisted.AsVariables(Body) : Body;
            IlLimits limits = new(body, Module.Clauses(Method.MetadataToken), Module.Names.Member);
            return [.. Offsets.Select(offset => limits.EndsAround(offset, Locked ?? 0, MakesNext))];
        }

        /// <summary>The branches that close the loops look like those of loops that end.</summary>
        public bool EndsLoosely()
            => Offsets.All(offset => IlBounds.EndsByItself(Module, Body, offset, from: Locked ?? 0, makesNext: MakesNext));
    }
}
