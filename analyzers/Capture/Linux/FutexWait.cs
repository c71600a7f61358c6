namespace HangTriage.Capture.Linux;

/// <summary>What a thread that stays in futex(2) waits for: that a word in memory changes.</summary>
/// <param name="Word">Where the word lies.</param>
/// <param name="Operation">The operation with its flags.</param>
/// <param name="Expected">What the word had to be for the thread to wait; of no use for the operations on priority-inheritance locks.</param>
internal readonly record struct FutexWait(ulong Word, uint Operation, uint Expected)
{
    public const uint Number = 202;

    private const uint OperationMask = 0x7F;
    private const uint Private = 128;

    /// <summary>FUTEX_WAIT or FUTEX_WAIT_BITSET.</summary>
    public bool IsPlain => (Operation & OperationMask) is 0 or 9;

    /// <summary>FUTEX_LOCK_PI or FUTEX_LOCK_PI2: the kernel itself keeps the owner in the word.</summary>
    public bool IsForOwner => (Operation & OperationMask) is 6 or 13;

    /// <summary>Other processes could wait for the word too.</summary>
    public bool IsShared => (Operation & Private) == 0;
}
