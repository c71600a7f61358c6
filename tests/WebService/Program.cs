using WebService;

// Idle until it is asked. What it is asked decides what becomes of it.
WebApplicationBuilder builder = WebApplication.CreateSlimBuilder(args);
builder.Logging.ClearProviders();
WebApplication app = builder.Build();
app.Urls.Add("http://127.0.0.1:0");
app.MapGet("/", () => "at your service");
app.MapGet("/prices/{article:int}", Prices.Show);
app.MapGet("/rates", Rates.Await);
app.MapGet("/busy", Rates.AwaitBusily);
await app.StartAsync();
Console.WriteLine($"LISTENING {app.Urls.First()}");
await app.WaitForShutdownAsync();
