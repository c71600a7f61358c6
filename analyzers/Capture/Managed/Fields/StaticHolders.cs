using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Fields;

/// <summary>
/// What static fields refer to, themselves or through one object: those of every module but the core library, and of types
/// that are not generic. Read when first asked for, since every type of the process has to be looked at.
/// </summary>
internal sealed class StaticHolders(ClrRuntime runtime, CaptureContext context)
{
    private const int TypeLimit = 500_000;

    private Dictionary<ulong, string>? _fields;

    /// <summary>As "App.Cache.s_items"; null where there is none.</summary>
    public string? FieldTo(ulong address) => (_fields ??= Read()).GetValueOrDefault(address);

    private Dictionary<ulong, string> Read()
    {
        context.Progress?.Report("static fields");
        Dictionary<ulong, string> fields = [];
        List<ClrObject> held = [];
        foreach (ClrType type in Types().Take(TypeLimit))
        {
            foreach (ClrStaticField field in type.StaticFields.Where(field => field.IsObjectReference))
            {
                foreach (ClrAppDomain domain in runtime.AppDomains)
                {
                    if (field.ReadObject(domain) is { IsNull: false } found && fields.TryAdd(found.Address, FieldNames.Of(type, field)))
                    {
                        held.Add(found);
                    }
                }
            }
        }

        foreach (ClrObject holder in held)
        {
            foreach ((ulong address, string name) in FieldNames.ReferencesOf(holder.Address, holder.Type))
            {
                fields.TryAdd(address, name);
            }
        }

        return fields;
    }

    private IEnumerable<ClrType> Types()
    {
        foreach (ClrModule module in runtime.EnumerateModules().Where(module => module.Address != runtime.BaseClassLibrary?.Address))
        {
            context.Step();
            foreach ((ulong methodTable, int _) in module.EnumerateTypeDefToMethodTableMap())
            {
                if (runtime.GetTypeByMethodTable(methodTable) is { } type)
                {
                    yield return type;
                }
            }
        }
    }
}
