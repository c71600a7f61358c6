using System.Text;

namespace HangTriage.DotnetDump;

/// <summary>Hands whole lines to the host's console. Reports and messages are ASCII already: hosts drop or replace the rest.</summary>
internal sealed class CommandOutput(Action<string> write, CancellationToken cancellation) : TextWriter
{
    private readonly StringBuilder _line = new();

    public override Encoding Encoding => Encoding.ASCII;

    public override void Write(char value)
    {
        _line.Append(value);
        if (value == '\n')
        {
            cancellation.ThrowIfCancellationRequested();
            Flush();
        }
    }

    public override void Flush()
    {
        if (_line.Length > 0)
        {
            write(_line.ToString());
            _line.Clear();
        }
    }
}
