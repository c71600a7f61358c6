namespace Microsoft.Diagnostics.DebugServices;

[AttributeUsage(AttributeTargets.Method)]
public class CommandInvokeAttribute : Attribute;
