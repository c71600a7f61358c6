using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Pool;

/// <summary>Objects that static fields of the core library hold.</summary>
internal sealed class StaticObjects(ClrRuntime runtime)
{
    public bool HasType(string type) => runtime.BaseClassLibrary?.GetTypeByName(type) is not null;

    /// <summary>The object; a null one where the type has no such field, or the field is not set.</summary>
    public ClrObject Find(string type, params ReadOnlySpan<string> names)
    {
        foreach (string name in names)
        {
            if (runtime.BaseClassLibrary?.GetTypeByName(type)?.GetStaticFieldByName(name) is { } field)
            {
                foreach (ClrAppDomain domain in runtime.AppDomains)
                {
                    if (field.ReadObject(domain) is { IsNull: false } found)
                    {
                        return found;
                    }
                }
            }
        }

        return default;
    }
}
