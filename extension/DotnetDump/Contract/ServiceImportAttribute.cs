namespace Microsoft.Diagnostics.DebugServices;

[AttributeUsage(AttributeTargets.Parameter | AttributeTargets.Field | AttributeTargets.Property | AttributeTargets.Method)]
public class ServiceImportAttribute : Attribute
{
    public bool Optional { get; set; }
}
