using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Follows a method's branches: what can still run from a place on. More than can in truth, since no condition is looked at.</summary>
internal static class IlReach
{
    /// <param name="module">The module of the method.</param>
    /// <param name="method">Its token.</param>
    /// <param name="from">Where it continues.</param>
    /// <param name="stops">Whether it can get no further than an instruction; null where it can past all.</param>
    /// <remarks>
    /// With such instructions an async method does not come to where it was suspended before: what it took then it had taken.
    /// </remarks>
    /// <returns>The instructions that can run from there, in the order of the method.</returns>
    public static IEnumerable<IlInstruction> From(
        IlModule module, int method, int from, Func<IlModule, int, IlInstruction, bool>? stops = null)
    {
        IReadOnlyList<IlInstruction> body = module.Body(method);
        Dictionary<int, int> places = PlacesOf(body);
        bool[] reached = new bool[body.Count];
        IlBody? known = stops is null ? null : new IlBody(module, method);
        bool Stops(IlInstruction instruction) => stops?.Invoke(module, method, instruction) == true;
        bool Passes(int index) => known?.LeadsBack(index) == true;

        // The call that the method is in can be the last of a protected block.
        IEnumerable<IlClause> around = module.Clauses(method).Where(clause => clause.Protects(from - 1));
        if (!Follow(body, places, reached, [from, .. around.Select(clause => clause.Start)], Stops, Passes))
        {
            return body;
        }

        // Whoever is in a protected block can come to its handlers: by what is thrown there, or on the way out.
        for (List<IlClause> left = [.. module.Clauses(method)]; ;)
        {
            int[] handlers = [.. left.Where(clause => IsReached(clause, body, reached)).Select(clause => clause.Start)];
            if (handlers.Length == 0)
            {
                return body.Where((_, index) => reached[index]);
            }

            left.RemoveAll(clause => handlers.Contains(clause.Start));
            if (!Follow(body, places, reached, handlers, Stops, Passes))
            {
                return body;
            }
        }
    }

    /// <summary>What can run where the call at a place throws: the blocks that handle it, and what comes behind those.</summary>
    /// <inheritdoc cref="From"/>
    public static IEnumerable<IlInstruction> Failing(IlModule module, int method, int at, Func<IlModule, int, IlInstruction, bool> stops)
        => module.Clauses(method)
            .Where(clause => clause.Protects(at))
            .SelectMany(clause => From(module, method, clause.Start, stops))
            .Distinct();

    /// <summary>A loop around the place comes to it again when what is there has completed, and not only when it has thrown.</summary>
    /// <param name="module">The module of the method.</param>
    /// <param name="method">Its token.</param>
    /// <param name="place">The place.</param>
    public static bool ComesBack(IlModule module, int method, int place)
    {
        IReadOnlyList<IlInstruction> body = module.Body(method);
        Dictionary<int, int> places = PlacesOf(body);
        bool[] reached = new bool[body.Count];
        return !Follow(body, places, reached, [place], _ => false, _ => false)
            || IlLoops.WaitLoops(body).Any(loop => loop.Start <= place && loop.End > place
                && places.TryGetValue(loop.Start, out int start) && reached[start]);
    }

    // The index of the instruction at each offset.
    private static Dictionary<int, int> PlacesOf(IReadOnlyList<IlInstruction> body)
        => body.Select((instruction, index) => (instruction.Offset, index)).ToDictionary();

    private static bool IsReached(IlClause clause, IReadOnlyList<IlInstruction> body, bool[] reached)
        => body.Where((instruction, index) => reached[index] && clause.Protects(instruction.Offset)).Any();

    // False where all is possible: where a switch leads is not read, and the middle of an instruction is no place that code comes to.
    private static bool Follow(
        IReadOnlyList<IlInstruction> body, Dictionary<int, int> places, bool[] reached, IEnumerable<int> starts,
        Func<IlInstruction, bool> stops, Func<int, bool> passes)
    {
        Stack<int> open = new(starts);
        while (open.TryPop(out int offset))
        {
            if (body.Count == 0 || offset >= body[^1].End)
            {
                continue;
            }

            if (!places.TryGetValue(offset, out int index))
            {
                return false;
            }

            for (bool continues = true; continues && index < body.Count && !reached[index]; index++)
            {
                reached[index] = true;
                if (passes(index))
                {
                    continue;
                }

                if (body[index].Code == ILOpCode.Switch)
                {
                    return false;
                }

                if (body[index].IsBranch)
                {
                    open.Push(body[index].Operand);
                }

                continues = !body[index].IsJump && !stops(body[index])
                    && body[index].Code is not (ILOpCode.Ret or ILOpCode.Throw or ILOpCode.Rethrow or ILOpCode.Endfinally);
            }
        }

        return true;
    }
}
