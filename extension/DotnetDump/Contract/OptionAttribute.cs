namespace Microsoft.Diagnostics.DebugServices;

[AttributeUsage(AttributeTargets.Property)]
public class OptionAttribute : Attribute
{
    public string Name;
    public string Help;
    public string[] Aliases;
}
