namespace HangTriage.Facts;

/// <summary>A function in the samples of a thread.</summary>
/// <param name="Name">Method, or module and offset where no symbols are known.</param>
/// <param name="Self">Samples in which it was on top of the stack.</param>
/// <param name="Inclusive">Samples in which it was anywhere on the stack.</param>
public sealed record TraceFunction(string Name, long Self, long Inclusive);
