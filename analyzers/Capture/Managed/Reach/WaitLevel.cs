namespace HangTriage.Capture.Managed.Reach;

/// <summary>A method on the way from who waits to who has begun all.</summary>
/// <param name="Module">The address of its module.</param>
/// <param name="Token">The method; of an async one that of its state machine.</param>
/// <param name="Name">Its name, as frames have it.</param>
/// <param name="IsInLoop">Whether it is in a loop that it comes round again.</param>
internal sealed record WaitLevel(ulong Module, int Token, string Name, Func<bool> IsInLoop)
{
    /// <summary>The object of an async method; 0 on a thread's stack.</summary>
    public ulong Flow { get; init; }

    /// <summary>The object that an async method is of; null for a static one, and on a thread's stack.</summary>
    public ulong? This { get; init; }

    public bool Is((ulong Module, int Method) place) => place == (Module, Token);
}
