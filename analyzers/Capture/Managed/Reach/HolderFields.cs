using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>By which field an object has another, as the program's instructions name it.</summary>
internal static class HolderFields
{
    /// <returns>Null where none of its own fields does, where several do, and for one that no instruction of the program names.</returns>
    public static string? Of(ClrObject holder, ulong target, ProgramUsers? users)
    {
        string? found = null;
        foreach (ClrInstanceField field in (holder.Type?.Fields ?? []).Where(field => field.IsObjectReference))
        {
            if (field.ReadObject(holder.Address, interior: false).Address != target)
            {
                continue;
            }

            string name = $"{NameBrackets.Without(field.ContainingType?.Name ?? string.Empty)}.{field.Name}";
            if (found is not null || users?.HasField(name) != true)
            {
                return null;
            }

            found = name;
        }

        return found;
    }

    /// <summary>The same of a variable that an async method keeps over its awaits.</summary>
    public static string? OfVariable(ClrHeap heap, FlowBox flow, ulong target, ProgramUsers? users)
        => FlowVariables.Of(heap, flow).Where(variable => variable.Address == target).Select(variable => variable.Name)
                .ToArray() is [{ } name]
            && $"{NameBrackets.Without(flow.Method!.Machine.Name ?? string.Empty)}.{name}" is var field
            && users?.HasField(field) == true
                ? field
                : null;
}
