using Autofac;
using Samples;

namespace Truth.Hung;

/// <summary>The constructor of an Autofac singleton waits for a task that resolves another: the container's lock is held meanwhile.</summary>
internal static class AutofacSingletonCrossed
{
    private static volatile Thread? s_resolver;

    public static void Run()
    {
        ContainerBuilder builder = new();
        builder.RegisterType<Settings>().SingleInstance();
        builder.RegisterType<Discovery>().SingleInstance();
        using IContainer container = builder.Build();
        Ready.WhenAtRest(() => s_resolver is { } resolver && ThreadRest.IsAtRest(resolver), Thread.CurrentThread);
        Console.WriteLine(container.Resolve<Settings>().Endpoint);
    }

    internal sealed class Discovery
    {
        public string Find() => "shop.example";
    }

    internal sealed class Settings
    {
        private readonly ILifetimeScope _scope;

        public Settings(ILifetimeScope scope)
        {
            _scope = scope;
            Endpoint = Task.Run(FindEndpoint).Result;
        }

        public string Endpoint { get; }

        private string FindEndpoint()
        {
            s_resolver = Thread.CurrentThread;
            return _scope.Resolve<Discovery>().Find();
        }
    }
}
