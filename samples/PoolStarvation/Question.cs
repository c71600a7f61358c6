namespace PoolStarvation;

/// <summary>What a thread asked the device.</summary>
/// <param name="Asker">The thread, which blocks on the answer.</param>
/// <param name="Answer">Completed by the device.</param>
internal sealed record Question(Thread Asker, TaskCompletionSource<int> Answer);
