using Autofac;

namespace Truth.Hung;

/// <summary>A static constructor resolves a service from Autofac, whose constructor loads pages in parallel with a method of the same class.</summary>
internal static class ConstructorResolves
{
    private static int s_loading;

    public static void Run()
    {
        Thread main = Thread.CurrentThread;
        Ready.When(() => Volatile.Read(ref s_loading) > 1 && main.ThreadState.HasFlag(ThreadState.WaitSleepJoin));
        Console.WriteLine(Catalog.Pages);
    }

    private static class Catalog
    {
        public static readonly int Pages = Build();

        public static int Load(int page) => page % 7 + s_base;

        private static readonly int s_base = 3;

        private static int Build()
        {
            ContainerBuilder builder = new();
            builder.RegisterType<PageStore>().SingleInstance();
            using IContainer container = builder.Build();
            return container.Resolve<PageStore>().Count;
        }
    }

    internal sealed class PageStore
    {
        public PageStore()
        {
            Task<int>[] pages = [.. Enumerable.Range(0, 4).Select(page => Task.Run(() => LoadOne(page)))];
            Task.WaitAll(pages);
            Count = pages.Sum(page => page.Result);
        }

        public int Count { get; }

        private static int LoadOne(int page)
        {
            Interlocked.Increment(ref s_loading);
            return Catalog.Load(page);
        }
    }
}
