using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Truth.Children;

/// <summary>Other processes that programs deal with: this program in another role. They end with their parent.</summary>
internal static partial class Child
{
    public static IReadOnlyDictionary<string, Action<string[]>> Roles { get; } = new Dictionary<string, Action<string[]>>
    {
        ["child-silent"] = SilentServer.Run,
        ["child-deaf"] = DeafServer.Run,
        ["child-http"] = HttpAnswers.Run,
        ["child-clients"] = HttpCallers.Run,
        ["child-postgres"] = PostgresServer.Run,
        ["child-feed"] = FeedServer.Run,
        ["child-pipe"] = SilentPipe.Run,
        ["child-chatty"] = Chatty.Run,
        ["child-worker"] = Worker.Run,
        ["child-sqlite"] = SqliteHolder.Run,
        ["child-mutex"] = MutexHolder.Run,
    };

    public static ProcessStartInfo Info(string role, params string[] arguments) => new(Environment.ProcessPath!, [role, .. arguments]);

    public static void Start(string role, params string[] arguments) => Process.Start(Info(role, arguments))!.Dispose();

    /// <summary>Starts a server; returns the port that it listens on, when it does.</summary>
    public static int StartServer(string role, params string[] arguments)
        => int.Parse(StartAndAwait(role, arguments), CultureInfo.InvariantCulture);

    /// <summary>Starts a child that says in a file, its last argument, when it is ready; returns what it said.</summary>
    public static string StartAndAwait(string role, params string[] arguments)
    {
        string file = Scratch.File(role);
        Start(role, [.. arguments, file]);
        while (!File.Exists(file))
        {
            Thread.Sleep(1);
        }

        string said = File.ReadAllText(file);
        File.Delete(file);
        return said;
    }

    /// <summary>Says it in one step: a file that is there is whole.</summary>
    public static void Say(string file, string text)
    {
        File.WriteAllText(file + ".part", text);
        File.Move(file + ".part", file);
    }

    public static void EndWithParent()
    {
        int parent = GetParentId();
        Thread watch = new(() =>
        {
            while (GetParentId() == parent)
            {
                Thread.Sleep(200);
            }

            Process.GetCurrentProcess().Kill();
        })
        { IsBackground = true };
        watch.Start();
    }

    [LibraryImport("libc", EntryPoint = "getppid")]
    private static partial int GetParentId();
}
