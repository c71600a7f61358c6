using System.Threading.Tasks.Dataflow;

namespace Truth.Hung;

/// <summary>A Dataflow pipeline is full: its last block waits for a session that nobody opens again.</summary>
internal static class DataflowFull
{
    public static async Task RunAsync()
    {
        Uploader uploader = new();
        ActionBlock<byte[]> upload = new(uploader.UploadAsync, new ExecutionDataflowBlockOptions { BoundedCapacity = 4 });
        TransformBlock<int, byte[]> compress = new(size => new byte[size], new ExecutionDataflowBlockOptions { BoundedCapacity = 4 });
        compress.LinkTo(upload, new DataflowLinkOptions { PropagateCompletion = true });
        Ready.WhenStill(() => uploader.Started == 3 && upload.InputCount == 3 && compress.OutputCount > 0);
        await ScanAsync(compress);
        compress.Complete();
        await upload.Completion;
    }

    private static async Task ScanAsync(ITargetBlock<int> files)
    {
        for (int i = 0; i < 100; i++)
        {
            await files.SendAsync(i);
        }
    }

    private sealed class Uploader
    {
        private TaskCompletionSource _session = NewSession();
        private int _started;

        public Uploader() => _session.SetResult();

        public int Started => Volatile.Read(ref _started);

        public async Task UploadAsync(byte[] file)
        {
            int number = Interlocked.Increment(ref _started);
            await _session.Task;
            await Task.Yield();
            if (number == 2)
            {
                // The server closed the session. Who opened it again was removed in the last release.
                _session = NewSession();
            }
        }

        private static TaskCompletionSource NewSession() => new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
