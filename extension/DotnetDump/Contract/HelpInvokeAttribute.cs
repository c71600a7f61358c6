namespace Microsoft.Diagnostics.DebugServices;

[AttributeUsage(AttributeTargets.Method)]
public class HelpInvokeAttribute : Attribute;
