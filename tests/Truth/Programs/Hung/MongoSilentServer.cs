using MongoDB.Bson;
using MongoDB.Driver;
using Truth.Children;

namespace Truth.Hung;

/// <summary>A nightly thread asks a MongoDB that takes connections and says nothing; the driver was told to look for a server for six hours.</summary>
internal static class MongoSilentServer
{
    public static void Run()
    {
        MongoClientSettings settings = MongoClientSettings.FromConnectionString($"mongodb://127.0.0.1:{Child.StartServer("child-silent")}");
        settings.ServerSelectionTimeout = TimeSpan.FromHours(6);
        Customers customers = new(new MongoClient(settings));
        Thread nightly = new(() => Console.WriteLine(customers.Find(7))) { Name = "nightly" };
        nightly.Start();
        Ready.WhenAtRest(() => true, nightly);
        nightly.Join();
    }

    private sealed class Customers(MongoClient client)
    {
        private readonly IMongoCollection<BsonDocument> _customers = client.GetDatabase("shop").GetCollection<BsonDocument>("customers");

        public BsonDocument? Find(int number) => _customers.Find(new BsonDocument("number", number)).FirstOrDefault();
    }
}
