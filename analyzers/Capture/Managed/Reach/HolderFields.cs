using HangTriage.Capture.Managed.Polls;
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

            string name = $"{Plain(field.ContainingType?.Name ?? string.Empty)}.{field.Name}";
            if (found is not null || users?.HasField(name) != true)
            {
                return null;
            }

            found = name;
        }

        return found;
    }

    // Without what generic types are made of. "Program+<>c" is the name of a type, and stays.
    private static string Plain(string name)
    {
        System.Text.StringBuilder plain = new(name.Length);
        int depth = 0;
        for (int index = 0; index < name.Length; index++)
        {
            char letter = name[index];
            if (letter == '<' && (depth > 0 || (index > 0 && name[index - 1] is not ('+' or '.'))))
            {
                depth++;
            }
            else if (letter == '>' && depth > 0)
            {
                depth--;
            }
            else if (depth == 0)
            {
                plain.Append(letter);
            }
        }

        return plain.ToString();
    }
}
