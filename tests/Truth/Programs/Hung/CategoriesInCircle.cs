namespace Truth.Hung;

/// <summary>The parents of three categories lead in a circle: a thread counts them under the lock for ever, and Main waits for the lock.</summary>
internal static class CategoriesInCircle
{
    public static void Run()
    {
        Categories categories = new(new Dictionary<int, int> { [1] = 2, [2] = 3, [3] = 1 });
        new Thread(() => Console.WriteLine(categories.DepthOf(1))) { Name = "menu", IsBackground = true }.Start();
        SpinWait.SpinUntil(() => categories.Steps > 0);
        Ready.WhenAtRest(() => categories.Steps > 1000, Thread.CurrentThread);
        categories.Rename(1, "Shoes");
    }

    private sealed class Categories(Dictionary<int, int> parents)
    {
        private readonly Dictionary<int, string> _names = [];
        private long _steps;

        public long Steps => Volatile.Read(ref _steps);

        public int DepthOf(int id)
        {
            lock (_names)
            {
                int depth = 0;
                while (id != 0)
                {
                    depth++;
                    id = parents[id];
                    Volatile.Write(ref _steps, depth);
                }

                return depth;
            }
        }

        public void Rename(int id, string name)
        {
            lock (_names)
            {
                _names[id] = name;
            }
        }
    }
}
