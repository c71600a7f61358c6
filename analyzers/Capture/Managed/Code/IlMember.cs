namespace HangTriage.Capture.Managed.Code;

/// <summary>A field or method that instructions name.</summary>
/// <param name="Type">The type that declares it, without what a generic one is made of.</param>
/// <param name="Name">Its name.</param>
/// <param name="Definition">The token of its definition in the same module; 0 for one of another module.</param>
internal sealed record IlMember(string Type, string Name, int Definition)
{
    /// <summary>What a generic type is made of, as "&lt;Int32&gt;"; empty for others.</summary>
    public string Arguments { get; init; } = string.Empty;

    public bool IsOwn => Definition != 0;

    public string FullName => $"{Type}.{Name}";
}
