namespace Truth.Hung;

/// <summary>The first thread waits for five loaders; one failed before it signalled.</summary>
internal static class CountdownNeverSignalled
{
    public static void Run()
    {
        Loader loader = new();
        Ready.WhenAtRest(() => loader.Left == 1, Thread.CurrentThread);
        loader.LoadAll(5);
    }

    private sealed class Loader
    {
        private readonly CountdownEvent _left = new(5);

        public int Left => _left.CurrentCount;

        public void LoadAll(int files)
        {
            for (int i = 0; i < files; i++)
            {
                int file = i;
                new Thread(() => Load(file)) { Name = $"load-{file}" }.Start();
            }

            _left.Wait();
        }

        private void Load(int file)
        {
            try
            {
                if (file == 3)
                {
                    throw new IOException("disk is full");
                }

                _left.Signal();
            }
            catch (IOException e)
            {
                Console.WriteLine(e.Message);
            }
        }
    }
}
