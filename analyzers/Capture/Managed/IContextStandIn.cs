namespace HangTriage.Capture.Managed;

/// <summary>A target that can be told to show a thread with other registers than it was caught with.</summary>
internal interface IContextStandIn
{
    /// <param name="thread">Its id in the system.</param>
    /// <param name="context">The registers, as CONTEXT of winnt.h.</param>
    void StandIn(uint thread, byte[] context);

    /// <summary>The thread is shown with other registers than it was caught with.</summary>
    bool HasStandIn(uint thread);
}
