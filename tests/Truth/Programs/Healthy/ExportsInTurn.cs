using System.Collections.Concurrent;
using System.Threading.Channels;

namespace Truth.Healthy;

/// <summary>One writer makes one export after the other, each in half a minute; who asked for one waits until it is its turn.</summary>
internal static class ExportsInTurn
{
    private const int Asking = 8;

    private static readonly TimeSpan s_page = TimeSpan.FromSeconds(15);

    public static async Task RunAsync()
    {
        ExportQueue queue = new();
        Task writing = new ExportWriter(queue).WriteAllAsync();
        Task<string>[] asking = [.. Enumerable.Range(0, Asking).Select(queue.AskAsync)];
        Ready.When(() => queue.Waiting == Asking && queue.IsTaken);
        Console.WriteLine((await Task.WhenAll(asking)).Length);
        queue.Close();
        await writing;
    }

    private sealed class Export(int number)
    {
        private readonly TaskCompletionSource<string> _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public int Number => number;

        public Task<string> Document => _done.Task;

        public void Finish(string document) => _done.TrySetResult(document);

        public void Fail(Exception e) => _done.TrySetException(e);
    }

    private sealed class ExportQueue
    {
        private readonly Channel<Export> _exports = Channel.CreateUnbounded<Export>();
        private readonly ConcurrentDictionary<int, Export> _open = new();

        public ChannelReader<Export> Reader => _exports.Reader;

        public int Waiting => _open.Count;

        public bool IsTaken { get; set; }

        public async Task<string> AskAsync(int number)
        {
            Export export = new(number);
            _open[number] = export;
            await _exports.Writer.WriteAsync(export);
            return await export.Document;
        }

        public void Closed(Export export) => _open.TryRemove(export.Number, out _);

        public void Close() => _exports.Writer.Complete();
    }

    private sealed class ExportWriter(ExportQueue queue)
    {
        public async Task WriteAllAsync()
        {
            await foreach (Export export in queue.Reader.ReadAllAsync())
            {
                try
                {
                    export.Finish(await WriteAsync(export));
                }
                catch (IOException e)
                {
                    export.Fail(e);
                }

                queue.Closed(export);
            }
        }

        private async Task<string> WriteAsync(Export export)
        {
            string document = string.Empty;
            foreach (int page in Enumerable.Range(0, 2))
            {
                queue.IsTaken = true;
                await Task.Delay(s_page);
                document += $"{export.Number}, page {page}";
            }

            return document;
        }
    }
}
