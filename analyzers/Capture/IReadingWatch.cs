namespace HangTriage.Capture;

/// <summary>
/// Hears how reading with code that may never return gets along: ClrMD and the runtime's own library can loop forever on a
/// damaged input, and no cancellation reaches them.
/// </summary>
public interface IReadingWatch
{
    /// <summary>Such code is at work from here on.</summary>
    void Begin();

    /// <summary>One more thread, frame, module or batch of objects is read. Called often, and outside such code too.</summary>
    void Step();

    /// <summary>It is done.</summary>
    void End();
}
