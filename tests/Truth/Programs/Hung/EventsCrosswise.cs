namespace Truth.Hung;

/// <summary>Two threads wait for each other's event. Nobody else knows the events.</summary>
internal static class EventsCrosswise
{
    public static void Run()
    {
        Video video = new();
        Thread decoder = new(video.Decode) { Name = "decoder" };
        Thread renderer = new(video.Render) { Name = "renderer" };
        decoder.Start();
        renderer.Start();
        Ready.WhenAtRest(() => true, decoder, renderer);
        decoder.Join();
        renderer.Join();
    }

    private sealed class Video
    {
        private readonly ManualResetEvent _decoded = new(false);
        private readonly ManualResetEvent _rendered = new(false);

        public void Decode()
        {
            _rendered.WaitOne();
            _decoded.Set();
        }

        public void Render()
        {
            _decoded.WaitOne();
            _rendered.Set();
        }
    }
}
