using System.Collections.Concurrent;
using Samples;

namespace Truth.Hung;

/// <summary>A pool of two connections over a BlockingCollection: who finds an error keeps its connection, and all others wait.</summary>
internal static class ConnectionsNeverReturned
{
    public static void Run()
    {
        Connections connections = new(2);
        Thread[] workers = [.. Enumerable.Range(0, 4).Select(number => new Thread(() => Query(connections)) { Name = $"query-{number}" })];
        Array.ForEach(workers, worker => worker.Start());
        Ready.When(() => workers.Count(worker => worker.IsAlive) == 2 && workers.Where(worker => worker.IsAlive).All(ThreadRest.IsAtRest));
        Array.ForEach(workers, worker => worker.Join());
    }

    private static void Query(Connections connections)
    {
        object connection = connections.Rent();
        if (!HasAnswer(connection))
        {
            return;
        }

        connections.Return(connection);
    }

    private static bool HasAnswer(object connection) => connection.GetHashCode() == 0;

    private sealed class Connections
    {
        private readonly BlockingCollection<object> _free = [];

        public Connections(int count)
        {
            for (int i = 0; i < count; i++)
            {
                _free.Add(new object());
            }
        }

        public object Rent() => _free.Take();

        public void Return(object connection) => _free.Add(connection);
    }
}
