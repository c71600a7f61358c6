using System.IO.Pipes;
using HangTriage.Capture;

namespace HangTriage.Cli;

/// <summary>Tells the supervisor of this worker that the reading makes progress.</summary>
/// <param name="pipe">The supervisor reads its other end.</param>
internal sealed class Pulse(PipeStream pipe) : IReadingWatch
{
    private const long MillisecondsBetween = 250;

    private long _last;

    /// <summary>Null where no supervisor listens.</summary>
    public static Pulse? OfProcess()
        => Worker.IsThisProcess && Environment.GetEnvironmentVariable(Worker.PulsePipe) is { Length: > 0 } handle
            ? new Pulse(new AnonymousPipeClientStream(PipeDirection.Out, handle))
            : null;

    public void Begin() => Send(Sign.Begin);

    public void Step()
    {
        if (Environment.TickCount64 - _last >= MillisecondsBetween)
        {
            Send(Sign.Step);
        }
    }

    public void End() => Send(Sign.End);

    private void Send(Sign sign)
    {
        _last = Environment.TickCount64;
        try
        {
            pipe.WriteByte((byte)sign);
        }
        catch (IOException)
        {
            // The supervisor is gone, and ends this process with it.
        }
    }
}
