namespace HangTriage.Capture.Managed;

/// <summary>
/// A target that says whether several threads may read it at once. The session of a debugger may be read on the debugger's thread alone,
/// whatever its reader says of being safe.
/// </summary>
internal interface IParallelReader
{
    bool IsParallel { get; }
}
