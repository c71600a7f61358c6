using HangTriage.Capture.Managed.Code;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Where the static fields of the program's own types are: the runtime keeps their objects in arrays, for all types together.</summary>
internal sealed class StaticSlots
{
    private const int MostTypes = 100_000;
    private const int MostElements = 1 << 20;

    private readonly Dictionary<ulong, string> _fields = [];

    private StaticSlots()
    {
    }

    public static StaticSlots Read(ClrRuntime runtime, IlModules modules, CaptureContext context)
    {
        StaticSlots slots = new();
        foreach (ClrType type in modules.TypesOf(runtime).Take(MostTypes))
        {
            context.Step();
            foreach (ClrStaticField field in type.StaticFields.Where(field => field.IsObjectReference && field.Name is not null))
            {
                foreach (ClrAppDomain domain in runtime.AppDomains)
                {
                    if (field.GetAddress(domain) is not 0 and ulong slot)
                    {
                        slots._fields.TryAdd(slot, $"{type.Name}.{field.Name}");
                    }
                }
            }
        }

        return slots;
    }

    /// <summary>The fields by which an array of the runtime's holds an object; null where one of them is not known.</summary>
    public IReadOnlyList<string>? FieldsOf(ClrObject array, ulong target)
    {
        ClrArray elements = array.AsArray();
        int length = elements.Length;
        if (length > MostElements || elements.ReadValues<ulong>(0, length) is not { } values)
        {
            return null;
        }

        List<string> fields = [];
        ulong first = array.Address + (2 * sizeof(ulong));
        for (int index = 0; index < values.Length; index++)
        {
            if (values[index] == target)
            {
                if (!_fields.TryGetValue(first + ((ulong)index * sizeof(ulong)), out string? field))
                {
                    return null;
                }

                fields.Add(field);
            }
        }

        return fields.Count == 0 ? null : fields;
    }
}
