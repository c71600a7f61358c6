using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace Truth.Children;

/// <summary>Answers each HTTP request after as many milliseconds as its first argument says.</summary>
internal static class HttpAnswers
{
    private static readonly byte[] s_answer = Encoding.ASCII.GetBytes("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n42");

    public static void Run(string[] args)
    {
        int delay = int.Parse(args[0], CultureInfo.InvariantCulture);
        Server.Run(args[1], connection =>
        {
            using StreamReader reader = new(new NetworkStream(connection), Encoding.ASCII);
            while (reader.ReadLine() is { } line)
            {
                if (line.Length == 0)
                {
                    Thread.Sleep(delay);
                    connection.Send(s_answer);
                }
            }
        });
    }
}
