using System.Text;

namespace HangTriage.Tests.Support.Http;

/// <summary>The bytes of an answer, as they go over the wire.</summary>
/// <param name="Bytes">Status line, headers and body.</param>
/// <param name="ThenSilent">The connection stays open and nothing more comes; else it is closed.</param>
public sealed record SymbolWebAnswer(byte[] Bytes, bool ThenSilent = false)
{
    public static SymbolWebAnswer NotFound { get; } = Text("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");

    public static SymbolWebAnswer Silence { get; } = new([], ThenSilent: true);

    /// <param name="body">The file.</param>
    /// <param name="length">What Content-Length says, where that is not the truth.</param>
    public static SymbolWebAnswer File(byte[] body, long? length = null)
        => new([.. Encoding.ASCII.GetBytes($"HTTP/1.1 200 OK\r\nContent-Length: {length ?? body.Length}\r\nConnection: close\r\n\r\n"), .. body]);

    /// <summary>A body without a length, which ends with the connection.</summary>
    public static SymbolWebAnswer Endless(byte[] body)
        => new([.. "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"u8, .. body]);

    public static SymbolWebAnswer Redirect(string location)
        => Text($"HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");

    public static SymbolWebAnswer Text(string text) => new(Encoding.ASCII.GetBytes(text));
}
