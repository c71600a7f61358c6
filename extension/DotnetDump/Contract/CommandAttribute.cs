namespace Microsoft.Diagnostics.DebugServices;

[AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
public class CommandAttribute : Attribute
{
    public string Name;
    public string Help;
    public string[] Aliases;
    public string DefaultOptions;
}
