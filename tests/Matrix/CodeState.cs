namespace HangTriage.Tests.Matrix;

/// <summary>What the JIT has made of a sample's code by the time of the dump.</summary>
internal enum CodeState
{
    /// <summary>As it starts: each method as it was compiled at its first call.</summary>
    Cold,

    /// <summary>All of its code, and all of .NET's, is compiled once with whatever can be inlined.</summary>
    Optimised,

    /// <summary>As that of a service after a while: what runs often is compiled again (tier 1), with what was learnt of it.</summary>
    Warm,
}
