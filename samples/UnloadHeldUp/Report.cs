namespace UnloadHeldUp;

/// <summary>What the plug-in makes.</summary>
internal sealed class Report
{
    public override string ToString() => "report";
}
