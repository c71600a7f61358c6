using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Follows a method's branches: what can still run from a place on. More than can in truth, since no condition is looked at.</summary>
internal static class IlReach
{
    /// <param name="module">The module of the method.</param>
    /// <param name="method">Its token.</param>
    /// <param name="from">Where it continues.</param>
    /// <returns>The instructions that can run from there, in the order of the method.</returns>
    public static IEnumerable<IlInstruction> From(IlModule module, int method, int from)
    {
        IReadOnlyList<IlInstruction> body = module.Body(method);
        Dictionary<int, int> places = body.Select((instruction, index) => (instruction.Offset, index)).ToDictionary();
        bool[] reached = new bool[body.Count];

        // What is thrown behind the place leads to the handlers behind it.
        Stack<int> open = new(module.Clauses(method).Where(clause => clause.Catches && clause.Start >= from).Select(clause => clause.Start).Append(from));
        while (open.TryPop(out int offset))
        {
            if (body.Count == 0 || offset >= body[^1].End)
            {
                continue;
            }

            // The middle of an instruction is no place that code comes to: all is possible then.
            if (!places.TryGetValue(offset, out int index))
            {
                return body;
            }

            for (bool continues = true; continues && index < body.Count && !reached[index]; index++)
            {
                reached[index] = true;
                if (body[index].Code == ILOpCode.Switch)
                {
                    // Where it leads is not read.
                    return body;
                }

                if (body[index].IsBranch)
                {
                    open.Push(body[index].Operand);
                }

                continues = !body[index].IsJump && body[index].Code is not (ILOpCode.Ret or ILOpCode.Throw or ILOpCode.Rethrow or ILOpCode.Endfinally);
            }
        }

        return body.Where((_, index) => reached[index]);
    }
}
