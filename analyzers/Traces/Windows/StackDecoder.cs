using HangTriage.Traces.Timeline;

namespace HangTriage.Traces.Windows;

/// <summary>Reads the events that hold stacks (StackWalk_Event), or name them by keys.</summary>
internal sealed class StackDecoder(TraceBuilder builder)
{
    private readonly ulong[] _frames = new ulong[TraceLimits.Default.FramesPerStack];

    public void Read(ushort hook, ref PayloadReader payload, int pointerSize)
    {
        if (hook is 0x1823 or 0x1824)
        {
            ulong key = payload.U64();
            builder.Tree.Define(key, Frames(ref payload, pointerSize));
            return;
        }

        long time = (long)payload.U64();
        payload.Skip(sizeof(uint));
        uint tid = payload.U32();
        if (payload.IsShort)
        {
            return;
        }

        if (hook == 0x1820)
        {
            builder.Stacks.Walk(time, tid, Frames(ref payload, pointerSize));
        }
        else if (hook is 0x1825 or 0x1826)
        {
            builder.Stacks.Key(time, tid, payload.U64(), isKernel: hook == 0x1825);
        }
    }

    private ReadOnlySpan<ulong> Frames(ref PayloadReader payload, int pointerSize)
    {
        int count = Math.Min(payload.Left / pointerSize, _frames.Length);
        for (int i = 0; i < count; i++)
        {
            _frames[i] = payload.Pointer();
        }

        return _frames.AsSpan(0, count);
    }
}
