#if NET10_0_OR_GREATER
using System.IO.Pipelines;
#endif
using System.Threading.Channels;
using System.Threading.Tasks.Dataflow;

namespace GivenSignals;

/// <content>Async methods that wait at channels, pipes and blocks.</content>
internal static partial class Program
{
    // Full, and who read has ended.
    private static void Letters()
    {
        Channel<int> letters = Channel.CreateBounded<int>(1);
        Ended(() => letters.Reader.TryRead(out _));
        Watched(() => letters.Reader.Count);
        Flow("WriteAsync", "-", "-", WriteAsync(letters.Writer));
    }

    private static async Task WriteAsync(ChannelWriter<int> writer)
    {
        await writer.WriteAsync(1);
        await writer.WriteAsync(2);
        s_kept.Add(writer);
    }

    // Empty, and a timer writes to it.
    private static void Boxes()
    {
        Channel<int> boxes = Channel.CreateUnbounded<int>();
        s_kept.Add(new Timer(_ => boxes.Writer.TryWrite(1), null, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));
        Flow("ReadAsync", "Timer", "Timer", ReadAsync(boxes.Reader));
    }

    private static async Task ReadAsync(ChannelReader<int> reader)
    {
        while (await reader.WaitToReadAsync())
        {
            s_kept.Add(reader);
        }
    }

#if NET10_0_OR_GREATER
    // Full, and who read has ended.
    private static void Frames()
    {
        Pipe frames = new(new PipeOptions(pauseWriterThreshold: 64, resumeWriterThreshold: 32));
        Ended(() => frames.Reader.CancelPendingRead());
        Ended(() =>
        {
            if (frames.Reader.TryRead(out ReadResult read))
            {
                frames.Reader.AdvanceTo(read.Buffer.End);
            }
        });
        Watched(() => frames.Writer.CanGetUnflushedBytes ? 1 : 0);
        Flow("FlushAsync", "-", "-", FlushAsync(frames.Writer));
    }

    private static async Task FlushAsync(PipeWriter writer)
    {
        writer.Advance(writer.GetMemory(100).Length);
        await writer.FlushAsync();
        s_kept.Add(writer);
    }
#endif

    // Empty, and a timer writes to it through a property that hands out the end of the channel.
    private static void Pages()
    {
        Tray pages = new();
        Printer printer = new(pages);
        s_kept.Add(new Timer(_ => printer.Print(), null, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));
        Flow("PrintAsync", "Timer", "Timer", PrintAsync(pages.Reader));
    }

    private static async Task PrintAsync(ChannelReader<int> reader) => s_kept.Add(await reader.WaitToReadAsync());

    // Who wrote to it has ended; by its field it is not told from the one that is written to.
    private static void Sheets()
    {
        Tray sheets = new();
        Ended(() => new Printer(sheets).Print());
        Ended(() => sheets.Reader.TryRead(out _));
        Watched(() => sheets.Reader.Count);
        Flow("StackAsync", "Timer", "-", StackAsync(sheets.Reader));
    }

    private static async Task StackAsync(ChannelReader<int> reader) => s_kept.Add(await reader.WaitToReadAsync());

    // Full, and its first item is one that no link takes.
    private static void Belts()
    {
        BufferBlock<int> belts = new(new DataflowBlockOptions { BoundedCapacity = 1 });
        belts.LinkTo(DataflowBlock.NullTarget<int>(), item => item > 10);
        Watched(() => belts.Count);
        Flow("SendAsync", "-", "-", SendAsync(belts));
    }

    private static async Task SendAsync(BufferBlock<int> belts)
    {
        for (int item = 1; await belts.SendAsync(item); item++)
        {
            s_kept.Add(item);
        }
    }
}
