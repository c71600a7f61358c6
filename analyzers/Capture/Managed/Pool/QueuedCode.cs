using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Pool;

/// <summary>The code of a queued item, and what it calls of the program's own code, by its instructions.</summary>
internal sealed class QueuedCode(IlModules modules)
{
    private const int MostMethods = 256;
    private const string Resume = "MoveNext";
    private const string Run = "Execute";

    private readonly Dictionary<(ulong Module, int Method), QueuedCalls?> _known = [];

    /// <summary>Null where it is the framework's own, or its instructions are not in the input.</summary>
    public QueuedCalls? Of(ClrObject item)
        => MethodOf(item) is { } method && modules.Of(method) is { } module ? Of(module, method) : null;

    private static ClrMethod? MethodOf(ClrObject item)
        => StateMachine.IsBox(item) ? (StateMachine.TypeIn(item)?.Methods.FirstOrDefault(method => method.Name == Resume))
            : item.Reference("m_action", "_callback") is { IsNull: false, IsDelegate: true } action ? DelegateMethod.Of(action)
            : item.Type?.Methods.FirstOrDefault(method => method.Name == Run);

    private QueuedCalls? Of(IlModule module, ClrMethod method)
    {
        (ulong, int) key = (module.Address, method.MetadataToken);
        if (!_known.TryGetValue(key, out QueuedCalls? known))
        {
            known = Follow(module, method.MetadataToken, ManagedStack.MethodName(method) ?? string.Empty);
            _known.Add(key, known);
        }

        return known;
    }

    private static QueuedCalls? Follow(IlModule module, int start, string name)
    {
        HashSet<int> seen = [start];
        Queue<int> open = new(seen);
        HashSet<(string Type, string Name)> statics = [];
        bool ends = false;
        while (open.TryDequeue(out int token) && seen.Count < MostMethods)
        {
            foreach (IlInstruction instruction in module.Body(token))
            {
                if (!(instruction.IsCall || instruction.ReadsField || instruction.Stores)
                    || module.Names.Member(instruction.Operand) is not { } member)
                {
                    continue;
                }

                if (instruction.IsCall && !member.IsOwn && SignalCalls.Waits(member.FullName))
                {
                    return null;
                }

                ends |= instruction.IsCall && !member.IsOwn && SignalCalls.Ends(member.FullName);
                if (instruction.Code is ILOpCode.Ldsfld or ILOpCode.Ldsflda && member.IsOwn)
                {
                    statics.Add((member.Type, member.Name));
                }

                foreach (int called in Called(module, instruction, member).Where(seen.Add))
                {
                    open.Enqueue(called);
                }
            }
        }

        return ends ? new QueuedCalls(module.Address, name, [.. statics]) : null;
    }

    // An async method begins by making its state machine.
    private static IEnumerable<int> Called(IlModule module, IlInstruction instruction, IlMember member)
        => !member.IsOwn ? []
            : instruction.IsCall ? [member.Definition, .. MadeTypes.IsMachine(member.Type) ? module.MethodsOf(member.Type, Resume, 0) : []]
            : instruction.Stores && MadeTypes.IsMachine(member.Type) ? module.MethodsOf(member.Type, Resume, 0)
            : [];
}
