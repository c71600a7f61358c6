namespace HangTriage.Capture.Managed.Semaphores;

/// <summary>A part of a method that is run with an entry of a SemaphoreSlim.</summary>
/// <param name="Field">The field that leads to the semaphore, as "App.Cache._gate"; null where a variable does.</param>
/// <param name="Start">The offset of its first instruction.</param>
/// <param name="End">The offset behind its last.</param>
internal sealed record SemaphoreSection(string? Field, int Start, int End)
{
    public bool Has(int offset) => Start <= offset && offset < End;
}
