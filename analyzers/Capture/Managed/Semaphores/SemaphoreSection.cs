namespace HangTriage.Capture.Managed.Semaphores;

/// <summary>A part of a method that is run with an entry of a SemaphoreSlim.</summary>
/// <param name="Field">The field that leads to the semaphore, as "App.Cache._gate"; null where a variable does.</param>
/// <param name="Start">The offset of its first instruction.</param>
/// <param name="End">The offset behind its last.</param>
internal sealed record SemaphoreSection(string? Field, int Start, int End)
{
    /// <summary>The field's own name: "_gate".</summary>
    public string? Name => Field?[(Dot + 1)..];

    /// <summary>The type that declares it: "App.Cache".</summary>
    public string? Type => Dot > 0 ? Field![..Dot] : null;

    private int Dot => Field?.LastIndexOf('.') ?? -1;

    public bool Has(int offset) => Start <= offset && offset < End;
}
