namespace HangTriage.Tests.Matrix;

/// <summary>Why a dump is no use, for which our tool can do nothing.</summary>
internal enum RetakeReason
{
    /// <summary>What the sample is about is not in it: its expected.json says what has to be true.</summary>
    OtherMoment,

    /// <summary>A sample that was to warm up hangs in code that it was compiled to before.</summary>
    ColdCode,

    /// <summary>The runtime's own library, which reads its data, has crashed on it.</summary>
    LibraryCrashed,

    /// <summary>There is none: the lab's Windows could not start the program, or it said no READY.</summary>
    NotTaken,
}
